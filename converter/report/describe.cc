// SPDX-License-Identifier: Apache-2.0
#include "converter/report/describe.h"

#include <algorithm>
#include <span>

#include "converter/graph/text/attrs_text.h"
#include "runtime/backends/portable/support.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/ops/op_codec.h"
#include "schema/plan_generated.h"

namespace linnet::converter {
namespace {

// What both a program in memory and one in a plan file know, as plain arrays.
struct Tensors {
  std::vector<TensorType> types;
  std::vector<bool> constant;
  std::vector<int> buffers;      // in the arena; -1 for constants and on other devices
  std::vector<int64_t> offsets;  // in the arena
  // Extents that vary: the smallest by tensor, empty where all are fixed.
  std::vector<std::vector<int64_t>> smallest;

  bool Varies(std::span<const int> inputs, std::span<const int> outputs) const {
    const auto varies = [&](int tensor) { return !smallest[tensor].empty(); };
    return std::ranges::any_of(inputs, varies) || std::ranges::any_of(outputs, varies);
  }
};
struct StepView {
  OpKind kind = {};
  const void* attrs = nullptr;
  std::span<const int> inputs, outputs;
  std::string source;
  std::string_view device;  // "" for the host
  bool varies = false;      // an extent of a tensor or an attribute
  schema::Control control = schema::Control::None;
  std::span<const int> regions;
};

// The extents of `type` with those that are symbols at their minimum.
template <typename Symbols>
std::vector<int64_t> Smallest(const TensorType& type, std::span<const int> numbers,
                              const Symbols& symbols) {
  std::vector<int64_t> smallest;
  for (size_t i = 0; i < numbers.size(); ++i)
    smallest.push_back(numbers[i] < 0 ? type.shape[static_cast<int>(i)]
                                      : std::max<int64_t>(0, symbols[numbers[i]].min));
  return smallest;
}

OpAttrs CopyAttrs(OpKind kind, const void* attrs) {
  OpAttrs copy = OpAttrs::Room(kind);
  std::memcpy(copy.data(), attrs, static_cast<size_t>(FindOp(kind)->attrs_bytes));
  return copy;
}

class Describer {
 public:
  Describer(const Tensors& tensors, ConversionReport* report)
      : tensors_(tensors), report_(*report) {
    producers_.assign(tensors.types.size(), ConversionReport::kNothing);
  }

  void AddInput(const char* name, const char* source, int tensor) {
    const int index = static_cast<int>(report_.inputs.size());
    report_.inputs.push_back({name, source, tensors_.types[tensor], tensors_.smallest[tensor]});
    producers_[tensor] = -1 - index;
    Touch(tensor, -1, name);
  }

  void AddOutput(const char* name, const char* source, int tensor) {
    report_.outputs.push_back(
        {name, source, tensors_.types[tensor], tensors_.smallest[tensor], producers_[tensor]});
    Touch(tensor, report_.num_program_steps(), "");
  }

  // `region`: of the step; all of a lower one come before.
  void AddStep(const StepView& view, int region) {
    const int index = static_cast<int>(report_.steps.size());
    time_ = region == 0 ? index : region_times_[static_cast<size_t>(region) - 1];
    ConversionReport::Step step;
    step.region = region;
    step.source = view.source;
    step.device = view.device.empty() ? "cpu" : view.device;
    if (view.control == schema::Control::Copy) {
      step.op = "Copy";
      step.backend = "copy";
    } else if (view.control != schema::Control::None) {
      AddRegions(view, index, &step);
    } else {
      step.op = FindOp(view.kind)->name;
      step.attributes = AttrsToText(CopyAttrs(view.kind, view.attrs));
    }
    std::vector<InputInfo> inputs;
    std::vector<TensorType> outputs;
    for (int tensor : view.inputs) {
      const TensorType& type = tensors_.types[tensor];
      inputs.push_back({type, tensors_.constant[tensor] ? this : nullptr});
      (tensors_.constant[tensor] ? step.weight_bytes : step.bytes) += type.bytes();
      if (!tensors_.constant[tensor]) step.reads.push_back(producers_[tensor]);
      Touch(tensor, time_, "");
    }
    for (int tensor : view.outputs) {
      outputs.push_back(tensors_.types[tensor]);
      step.bytes += tensors_.types[tensor].bytes();
      producers_[tensor] = index;
      Touch(tensor, time_, view.source);
    }
    if (!outputs.empty()) step.output = outputs[0];
    if (view.control != schema::Control::None) {
      report_.steps.push_back(std::move(step));
      return;
    }
    // Rules ask whether an input is constant, and nobody its value: any address serves as "yes".
    const OpInstance op{view.kind, view.attrs, inputs, outputs};
    step.macs = FindOp(view.kind)->cost(op).macs;
    Place(view, op, &step);
    report_.steps.push_back(std::move(step));
  }

  void Finish(std::span<const PlanBuffer> buffers) {
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (i >= uses_.size() || !uses_[i].touched) continue;
      const Use& use = uses_[i];
      report_.memory.placements.push_back(
          {use.name, buffers[i].offset, buffers[i].bytes, use.first, use.last});
    }
  }

 private:
  struct Use {
    bool touched = false;
    int first = 0, last = 0;
    std::string name;
  };

  void AddRegions(const StepView& view, int index, ConversionReport::Step* step) {
    const bool is_loop = view.control == schema::Control::While;
    step->op = is_loop ? "While" : "If";
    step->backend = "control";
    for (size_t i = 0; i < view.regions.size(); ++i) {
      const auto region = static_cast<size_t>(view.regions[i]);
      if (report_.regions.size() < region) report_.regions.resize(region);
      region_times_.resize(report_.regions.size());
      const bool first = i == 0;
      report_.regions[region - 1] = {
          index, is_loop ? (first ? "condition" : "body") : (first ? "then" : "else")};
      region_times_[region - 1] = time_;
    }
  }

  void Touch(int tensor, int step, std::string_view name) {
    const int buffer = tensors_.buffers[tensor];
    if (buffer < 0) return;
    if (uses_.size() <= static_cast<size_t>(buffer)) uses_.resize(static_cast<size_t>(buffer) + 1);
    Use& use = uses_[buffer];
    if (!use.touched) use.first = step;
    use.touched = true;
    use.last = std::max(use.last, step);
    if (use.name.empty()) use.name = name;
  }

  void Place(const StepView& view, const OpInstance& op, ConversionReport::Step* step) const {
    if (!view.device.empty()) {
      step->backend = view.device;
      return;
    }
    const int in = view.inputs.empty() ? -1 : view.inputs[0];
    const int out = view.outputs[0];
    if ((FindOp(view.kind)->traits & kAlias) && in >= 0 && tensors_.buffers[in] >= 0 &&
        tensors_.buffers[in] == tensors_.buffers[out] &&
        tensors_.offsets[in] == tensors_.offsets[out]) {
      step->backend = "none";
      step->reason = "its output is its input's memory";
    } else if (const char* reason = view.varies
                                        ? "its extents vary"
                                        : xnnpack::WhyUnsupported(op, xnnpack::PackageFeatures());
               reason != nullptr) {
      const char* portable_reason = portable::WhyUnsupported(op);
      step->backend = portable_reason == nullptr ? "portable" : "unsupported";
      step->reason = portable_reason == nullptr ? reason : portable_reason;
    } else {
      step->backend = "xnnpack";
    }
  }

  const Tensors& tensors_;
  ConversionReport& report_;
  std::vector<int> producers_;     // by tensor, as Step::reads
  std::vector<Use> uses_;          // by buffer
  std::vector<int> region_times_;  // by region: the program's step that it is part of
  int time_ = 0;                   // of the step at hand
};

StepView ViewOf(const Program& program, const Program::Step& step, const Tensors& tensors) {
  const Node& node = *step.node;
  StepView view{.inputs = step.inputs, .outputs = step.outputs, .regions = step.regions};
  view.source = node.sources().empty() ? node.name() : node.sources()[0];
  if (step.space > 0) view.device = program.devices[step.space - 1].device;
  view.control = ControlOf(step);
  if (view.control != schema::Control::None) return view;
  view.kind = node.kind();
  view.attrs = node.attrs().data();
  view.varies = tensors.Varies(step.inputs, step.outputs) || !step.attr_extents.empty();
  return view;
}

const char* EncodingName(schema::Encoding encoding) {
  switch (encoding) {
    case schema::Encoding::Plain:
      return "plain";
    case schema::Encoding::Float16:
      return "float16";
    case schema::Encoding::AffineU8:
      return "affine_u8";
    case schema::Encoding::AffineU16:
      return "affine_u16";
  }
  return "unknown";
}

void AddWeight(schema::Encoding encoding, int64_t bytes, ConversionReport::Weights* weights) {
  ++weights->count;
  weights->bytes += bytes;
  weights->by_encoding[EncodingName(encoding)] += bytes;
}

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

void DescribeProgram(const Program& program, ConversionReport* report) {
  Tensors tensors;
  for (const Program::Tensor& tensor : program.tensors) {
    tensors.types.push_back(tensor.type);
    tensors.constant.push_back(tensor.weight >= 0);
    tensors.buffers.push_back(tensor.space == 0 ? tensor.buffer : -1);
    const int buffer = tensors.buffers.back();
    const int64_t start = buffer >= 0 ? program.memory.buffers[buffer].offset : 0;
    tensors.offsets.push_back(start + tensor.offset);
    tensors.smallest.push_back(Smallest(tensor.type, tensor.symbols, program.symbols));
  }
  Describer describer(tensors, report);
  for (const Program::Port& port : program.inputs)
    describer.AddInput(port.name.name.c_str(), port.name.source.c_str(), port.tensor);
  const auto add_steps = [&](std::span<const Program::Step> steps, int region) {
    for (const Program::Step& step : steps)
      describer.AddStep(ViewOf(program, step, tensors), region);
  };
  add_steps(program.steps, 0);
  for (size_t i = 0; i < program.regions.size(); ++i)
    add_steps(program.regions[i].steps, static_cast<int>(i) + 1);
  for (const Program::Port& port : program.outputs)
    describer.AddOutput(port.name.name.c_str(), port.name.source.c_str(), port.tensor);
  std::vector<PlanBuffer> buffers;
  for (const planner::BufferPlace& buffer : program.memory.buffers)
    buffers.push_back({buffer.offset, buffer.bytes});
  describer.Finish(buffers);
  const planner::MemoryPlan& memory = program.memory;
  report->memory.arena_bytes = memory.arena_bytes;
  report->memory.lower_bound = memory.lower_bound;
  report->memory.naive = memory.naive_bytes;
  report->memory.imported_bound = memory.imported_lower_bound;
  for (const Program::Space& space : program.devices)
    report->memory.devices.push_back({space.device, space.memory.arena_bytes,
                                      space.memory.lower_bound, space.memory.naive_bytes});
  for (const Constant& weight : program.weights)
    AddWeight(weight.encoding, static_cast<int64_t>(weight.bytes.size()), &report->weights);
}

void DescribePlan(const PlanView& view, const VerifiedProgram& program, ConversionReport* report) {
  const PlanProgram& plan = *program.plan;
  Tensors tensors;
  for (const PlanTensor& tensor : plan.tensors) {
    tensors.types.push_back(tensor.type);
    tensors.constant.push_back(tensor.storage == Storage::kWeight);
    const bool in_arena = tensor.storage == Storage::kArena && tensor.space == 0;
    tensors.buffers.push_back(in_arena ? tensor.index : -1);
    tensors.offsets.push_back(tensor.offset);
    tensors.smallest.push_back(Smallest(tensor.type, tensor.symbols, view.symbols));
  }
  report->signature = plan.key;
  Describer describer(tensors, report);
  for (const PlanPort& port : plan.inputs) describer.AddInput(port.name, port.source, port.tensor);
  for (size_t region = 0; region < plan.regions.size(); ++region) {
    const PlanRegion& range = plan.regions[region];
    for (int32_t i = range.first; i < range.first + range.count; ++i) {
      const VerifiedStep& step = program.steps[i];
      ++report->ops_after[step.def->name];
      describer.AddStep({step.kind, step.attrs, step.inputs, step.outputs, step.source,
                         plan.spaces[plan.steps[i].space].device, step.varies, step.control,
                         plan.steps[i].regions},
                        static_cast<int>(region));
    }
  }
  for (const PlanPort& port : plan.outputs)
    describer.AddOutput(port.name, port.source, port.tensor);
  describer.Finish(plan.buffers);
  report->memory.arena_bytes = plan.arena().bytes;
  report->memory.lower_bound = plan.arena().lower_bound;
  report->memory.naive = plan.arena().naive;
  report->memory.imported_bound = plan.arena().imported_bound;
  for (const PlanSpace& space : plan.spaces.subspan(1))
    report->memory.devices.push_back({space.device, space.bytes, space.lower_bound, space.naive});
  for (const PlanWeight& weight : view.weights)
    AddWeight(weight.encoding, weight.bytes, &report->weights);
  report->plan_bytes = static_cast<int64_t>(view.header.file_bytes);
}

}  // namespace linnet::converter
