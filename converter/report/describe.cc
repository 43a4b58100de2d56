// SPDX-License-Identifier: Apache-2.0
#include "converter/report/describe.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "converter/graph/text/attrs_text.h"
#include "fmt/format.h"
#include "runtime/backends/portable/support.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/core/checked.h"
#include "runtime/core/encoding.h"
#include "runtime/core/layout.h"
#include "runtime/ops/op_codec.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// The value of an extent when every symbol that it follows from is at its largest.
int64_t ValueAtMost(const PlanStructure& plan, const schema::SymbolT& symbol) {
  if (symbol.terms.empty()) return symbol.max;
  int64_t sum = symbol.constant;
  for (const schema::Term& term : symbol.terms)
    sum = SaturatingAdd(sum, SaturatingMul(term.factor(), plan.symbols[term.symbol()]->max));
  return sum;
}

OpAttrs AttrsOf(const PlanStructure& plan, const schema::StepT& step) {
  OpAttrs attrs = OpAttrs::Room(static_cast<OpKind>(step.op));
  const OpDef& op = *FindOp(attrs.kind());
  (void)op.decode(step.attrs, attrs.data());
  for (const schema::AttrExtent& extent : step.attr_extents)
    (void)op.set_extent(attrs.data(), extent.slot(),
                        ValueAtMost(plan, *plan.symbols[extent.symbol()]));
  return attrs;
}

// Fills the report from one of the plan's programs.
class Describer {
 public:
  Describer(const PlanStructure& plan, const schema::ProgramT& program, ConversionReport* report)
      : plan_(plan), program_(program), report_(*report), placements_(program_.buffers.size()) {
    producers_.assign(program_.tensors.size(), ConversionReport::kNothing);
    for (const auto& tensor : program_.tensors)
      types_.push_back({static_cast<DType>(tensor->dtype), Shape(tensor->shape)});
    for (const schema::Strips& strips : program_.strips) AddStrips(strips);
    for (const auto& segment : program_.segments)
      step_spaces_.insert(step_spaces_.end(), segment->count, segment->backend);
  }

  void Describe() {
    report_.signature = program_.signature->key;
    report_.variant = program_.variant.empty() ? kHostVariant : program_.variant;
    for (const auto& port : program_.signature->inputs) AddInput(*port);
    for (size_t region = 0; region < program_.regions.size(); ++region)
      for (const auto& step : program_.regions[region]->steps)
        AddStep(*step, static_cast<int>(region));
    for (const auto& port : program_.signature->outputs) AddOutput(*port);
    AddMemory();
  }

  void DescribeWeights() {
    for (const auto& weight : plan_.weights) AddWeight(*weight);
  }

 private:
  EncodedPanels PanelsOf(int tensor) const {
    const int weight = program_.tensors[tensor]->weight;
    if (weight < 0 || !IsPanels(plan_.weights[weight]->encoding)) return {};
    return {.data = nullptr, .encoding = plan_.weights[weight]->encoding};
  }
  bool IsConstant(int tensor) const { return program_.tensors[tensor]->weight >= 0; }
  // In the memory where it is; a weight's as elements of its type.
  int64_t BytesOf(int tensor) const {
    const int buffer = program_.tensors[tensor]->buffer;
    const auto layout = buffer < 0 ? schema::Layout::Dense
                                   : program_.spaces[program_.buffers[buffer]->space]->layout;
    return BytesIn(static_cast<Layout>(layout), types_[tensor]);
  }
  bool Varies(int tensor) const { return !program_.tensors[tensor]->symbols.empty(); }
  // Where it lies in the host's memory, or nullptr.
  const schema::BufferT* HostBuffer(int tensor) const {
    const int buffer = program_.tensors[tensor]->buffer;
    if (buffer < 0 || program_.buffers[buffer]->space != 0) return nullptr;
    return program_.buffers[buffer].get();
  }
  // The extents of a tensor with symbols at their minimum; empty where none varies.
  std::vector<int64_t> Smallest(int tensor) const {
    const std::vector<int>& symbols = program_.tensors[tensor]->symbols;
    std::vector<int64_t> smallest;
    for (size_t i = 0; i < symbols.size(); ++i)
      smallest.push_back(symbols[i] < 0 ? types_[tensor].shape[static_cast<int>(i)]
                                        : std::max<int64_t>(0, plan_.symbols[symbols[i]]->min));
    return smallest;
  }
  // Of a step of the program, "" for the host.
  const std::string& DeviceOf(size_t step) const {
    static const std::string host;
    const size_t space = step < step_spaces_.size() ? step_spaces_[step] : 0;
    return space == 0 ? host : program_.spaces[space]->device;
  }

  void AddStrips(const schema::Strips& strips) {
    const auto first = static_cast<int>(strips.first()), count = static_cast<int>(strips.count());
    const int scratch = program_.regions[0]->steps[strips.first()]->scratch;
    const schema::BufferT& rows = *program_.buffers[scratch];
    placements_[scratch] = {fmt::format("{} rows at a time", strips.rows()), rows.offset, rows.size,
                            first, first + count - 1};
    report_.strips.push_back({first, count, strips.rows(), rows.size});
  }
  // The strips of a step of the program, or -1.
  int StripsOf(int step) const {
    for (size_t i = 0; i < report_.strips.size(); ++i)
      if (const auto& strips = report_.strips[i];
          step >= strips.first && step < strips.first + strips.count)
        return static_cast<int>(i);
    return -1;
  }

  void AddInput(const schema::PortT& port) {
    const int index = static_cast<int>(report_.inputs.size());
    report_.inputs.push_back({port.name, port.source, types_[port.tensor], Smallest(port.tensor)});
    producers_[port.tensor] = -1 - index;
    Touch(port.tensor, -1, port.name);
  }

  void AddOutput(const schema::PortT& port) {
    report_.outputs.push_back({port.name, port.source, types_[port.tensor], Smallest(port.tensor),
                               producers_[port.tensor]});
    Touch(port.tensor, report_.num_program_steps(), "");
  }

  // `region`: of the step; all of a lower one come before.
  void AddStep(const schema::StepT& step, int region) {
    const int index = static_cast<int>(report_.steps.size());
    time_ = region == 0 ? index : region_times_[static_cast<size_t>(region) - 1];
    const std::string device = region == 0 ? DeviceOf(report_.steps.size()) : "";
    ConversionReport::Step row;
    row.region = region;
    row.source = step.sources.empty() ? "" : step.sources[0];
    row.device = device.empty() ? "cpu" : device;
    if (region == 0) row.strips = StripsOf(index);
    if (step.scratch >= 0) row.scratch_bytes = program_.buffers[step.scratch]->size;
    AddReads(step, &row);
    for (const int tensor : step.outputs) {
      row.bytes += BytesOf(tensor);
      producers_[tensor] = index;
      Touch(tensor, time_, row.source);
    }
    if (!step.outputs.empty()) row.output = types_[step.outputs[0]];
    if (step.control == schema::Control::None) {
      AddOp(step, device, &row);
    } else if (step.control == schema::Control::Copy) {
      row.op = "Copy";
      row.backend = "copy";
    } else {
      AddRegions(step, index, &row);
    }
    report_.steps.push_back(std::move(row));
  }

  void AddReads(const schema::StepT& step, ConversionReport::Step* row) {
    for (const int tensor : step.inputs) {
      (IsConstant(tensor) ? row->weight_bytes : row->bytes) += BytesOf(tensor);
      if (!IsConstant(tensor)) row->reads.push_back(producers_[tensor]);
      Touch(tensor, time_, "");
    }
  }

  void AddOp(const schema::StepT& step, const std::string& device, ConversionReport::Step* row) {
    const OpAttrs attrs = AttrsOf(plan_, step);
    const OpDef& def = *FindOp(attrs.kind());
    std::vector<InputInfo> inputs;
    for (const int tensor : step.inputs)
      inputs.push_back({.type = types_[tensor],
                        .is_constant = IsConstant(tensor),
                        .in_panels = PanelsOf(tensor)});
    std::vector<TensorType> outputs;
    for (const int tensor : step.outputs) outputs.push_back(types_[tensor]);
    const OpInstance op{attrs.kind(), attrs.data(), inputs, outputs};
    row->op = def.name;
    row->attributes = AttrsToText(attrs);
    row->macs = def.cost(op).macs;
    if (device.empty())
      Place(step, op, row);
    else
      row->backend = device;
  }

  void AddMemory() {
    const auto& spaces = program_.spaces;
    report_.memory.arena_bytes = spaces[0]->size;
    report_.memory.lower_bound = spaces[0]->lower_bound;
    report_.memory.naive = spaces[0]->naive;
    report_.memory.imported_bound = spaces[0]->imported_bound;
    for (size_t i = 1; i < spaces.size(); ++i)
      report_.memory.devices.push_back({spaces[i]->device,
                                        NameOf(static_cast<Layout>(spaces[i]->layout)),
                                        spaces[i]->size, spaces[i]->lower_bound, spaces[i]->naive});
    for (const auto& placement : placements_)
      if (placement) report_.memory.placements.push_back(*placement);
  }

  void AddWeight(const schema::WeightT& weight) {
    const auto bytes = static_cast<int64_t>(weight.size);
    ++report_.weights.count;
    report_.weights.bytes += bytes;
    report_.weights.by_encoding[EncodingName(weight.encoding)] += bytes;
  }

  void AddRegions(const schema::StepT& step, int index, ConversionReport::Step* row) {
    const bool is_loop = step.control == schema::Control::While;
    row->op = is_loop ? "While" : "If";
    row->backend = "control";
    for (size_t i = 0; i < step.regions.size(); ++i) {
      const auto region = static_cast<size_t>(step.regions[i]);
      if (report_.regions.size() < region) report_.regions.resize(region);
      region_times_.resize(report_.regions.size());
      const bool first = i == 0;
      report_.regions[region - 1] = {
          index, is_loop ? (first ? "condition" : "body") : (first ? "then" : "else")};
      region_times_[region - 1] = time_;
    }
  }

  void Touch(int tensor, int step, std::string_view name) {
    const schema::BufferT* buffer = HostBuffer(tensor);
    if (buffer == nullptr) return;
    auto& placement = placements_[static_cast<size_t>(program_.tensors[tensor]->buffer)];
    if (!placement)
      placement = {.offset = buffer->offset, .bytes = buffer->size, .first_step = step};
    placement->last_step = std::max(placement->last_step, step);
    if (placement->name.empty()) placement->name = name;
  }

  bool IsInPlace(int in, int out) const {
    const schema::BufferT* buffer = HostBuffer(in);
    return buffer != nullptr && buffer == HostBuffer(out) &&
           program_.tensors[in]->offset == program_.tensors[out]->offset;
  }

  void Place(const schema::StepT& step, const OpInstance& op, ConversionReport::Step* row) const {
    const auto varies = [&](int tensor) { return Varies(tensor); };
    const bool step_varies = !step.attr_extents.empty() ||
                             std::ranges::any_of(step.inputs, varies) ||
                             std::ranges::any_of(step.outputs, varies);
    if ((FindOp(op.kind)->traits & kAlias) && !step.inputs.empty() &&
        IsInPlace(step.inputs[0], step.outputs[0])) {
      row->backend = "none";
      row->reason = "its output is its input's memory";
    } else if (row->strips >= 0) {
      row->backend = "portable";
      row->reason = "it runs in strips";
    } else if (const char* reason = step_varies
                                        ? "its extents vary"
                                        : xnnpack::WhyUnsupported(op, xnnpack::PackageFeatures());
               reason != nullptr) {
      const char* portable_reason = portable::WhyUnsupported(op);
      row->backend = portable_reason == nullptr ? "portable" : "unsupported";
      row->reason = portable_reason == nullptr ? reason : portable_reason;
    } else {
      row->backend = "xnnpack";
    }
  }

  const PlanStructure& plan_;
  const schema::ProgramT& program_;
  ConversionReport& report_;
  std::vector<TensorType> types_;     // by tensor
  std::vector<uint8_t> step_spaces_;  // by step of the program; empty: all on the host
  std::vector<int> producers_;        // by tensor, as Step::reads
  std::vector<int> region_times_;     // by region: the program's step that it is part of
  std::vector<std::optional<ConversionReport::Placement>> placements_;  // by buffer, of the host's
  int time_ = 0;                                                        // of the step at hand
};

}  // namespace

std::map<std::string, int64_t> CountOps(const Graph& graph) {
  std::map<std::string, int64_t> counts;
  for (const Node* node : graph.op_nodes()) {
    if (node->node_class() != NodeClass::kArg && node->node_class() != NodeClass::kRetval)
      ++counts[node->op_name()];
    for (const auto& region : node->regions())
      for (const auto& [op, count] : CountOps(*region)) counts[op] += count;
  }
  return counts;
}

void DescribePlan(const PlanStructure& plan, ConversionReport* report) {
  const schema::ProgramT& first = *plan.programs[0];
  Describer describer(plan, first, report);
  describer.Describe();
  describer.DescribeWeights();
  for (const auto& program : plan.programs)
    if (program.get() != &first && program->signature->key == first.signature->key)
      Describer(plan, *program, &report->variants.emplace_back()).Describe();
}

}  // namespace linnet::converter
