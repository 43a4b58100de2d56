// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/plan_structure.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "converter/plan/for_release.h"
#include "converter/plan/margins.h"
#include "converter/plan/step_names.h"
#include "runtime/core/encoding.h"
#include "runtime/core/region.h"
#include "runtime/ops/op_codec.h"
#include "runtime/plan/file_header.h"
#include "runtime/plan/plan_view.h"

namespace linnet::converter {
namespace {

schema::DType PlanDType(const TensorType& type) { return static_cast<schema::DType>(type.dtype); }

std::vector<int64_t> Dims(const TensorType& type) { return {type.shape.begin(), type.shape.end()}; }

schema::Control ControlOf(const Program::Step& step) {
  if (step.is_copy) return schema::Control::Copy;
  if (!step.node->IsStructured()) return schema::Control::None;
  return step.node->node_class() == NodeClass::kLinnetWhile ? schema::Control::While
                                                            : schema::Control::If;
}

// Adds a program to a plan; what the program numbers for itself gets the plan's numbers.
class ProgramBuilder {
 public:
  // `weights`: the plan's numbers of the program's weights.
  ProgramBuilder(const Program& program, std::span<const int> weights, PlanStructure* plan)
      : program_(program),
        weights_(weights),
        plan_(*plan),
        built_(*plan->programs.emplace_back(std::make_unique<schema::ProgramT>())),
        first_symbol_(static_cast<int>(plan->symbols.size())) {}

  void Build() {
    built_.signature = std::make_unique<schema::SignatureT>();
    built_.signature->key = program_.key;
    built_.signature->inputs = Ports(program_.inputs);
    built_.signature->outputs = Ports(program_.outputs);
    built_.variant = program_.variant;
    if (!program_.regions.empty()) built_.required_features.emplace_back(kRegionsFeature);
    for (const PlanSymbols::Symbol& symbol : program_.symbols) AddSymbol(symbol);
    for (const Program::State& state : program_.states) AddState(state);
    AddMemory(program_.memory, "", Layout::kDense);
    for (const Program::Space& space : program_.devices)
      AddMemory(space.memory, space.device, space.layout);
    for (const Program::Tensor& tensor : program_.tensors) AddTensor(tensor);
    AddRegions();
    if (!program_.strips.empty()) AddStrips();
    if (AnyComputesMargins()) built_.required_features.emplace_back(kMarginsFeature);
    if (!program_.devices.empty()) AddSegments();
  }

 private:
  void AddSymbol(const PlanSymbols::Symbol& symbol) {
    auto& table = *plan_.symbols.emplace_back(std::make_unique<schema::SymbolT>());
    table.name = symbol.name;
    table.max = symbol.max;
    table.min = symbol.min;
    table.constant = symbol.constant;
    for (const auto& [number, factor] : symbol.terms)
      table.terms.emplace_back(first_symbol_ + number, factor);
  }

  // States of one name, in whichever programs, are one.
  void AddState(const Program::State& state) {
    const auto same = std::ranges::find_if(
        plan_.states, [&](const auto& known) { return known->name == state.name; });
    states_.push_back(static_cast<int>(same - plan_.states.begin()));
    if (same != plan_.states.end()) return;
    auto& table = *plan_.states.emplace_back(std::make_unique<schema::StateT>());
    table.name = state.name;
    table.dtype = PlanDType(state.type);
    table.shape = Dims(state.type);
    if (state.initial >= 0) table.initial = weights_[static_cast<size_t>(state.initial)];
  }

  static std::vector<std::unique_ptr<schema::PortT>> Ports(std::span<const Program::Port> ports) {
    std::vector<std::unique_ptr<schema::PortT>> tables;
    for (const Program::Port& port : ports) {
      auto& table = *tables.emplace_back(std::make_unique<schema::PortT>());
      table.name = port.name.name;
      table.source = port.name.source;
      table.tensor = port.tensor;
    }
    return tables;
  }

  // The next space and its buffers, which lie behind those of the spaces before.
  void AddMemory(const planner::MemoryPlan& memory, const std::string& device, Layout layout) {
    first_buffers_.push_back(static_cast<int>(built_.buffers.size()));
    for (const planner::BufferPlace& place : memory.buffers) {
      auto& buffer = *built_.buffers.emplace_back(std::make_unique<schema::BufferT>());
      buffer.space = static_cast<uint8_t>(built_.spaces.size());
      buffer.offset = place.offset;
      buffer.size = place.bytes;
    }
    auto& space = *built_.spaces.emplace_back(std::make_unique<schema::SpaceT>());
    space.kind = device.empty() ? 0 : 1;
    space.size = memory.arena_bytes;
    space.alignment = device.empty() ? static_cast<int>(kHostAlignment) : kDeviceAlignment;
    space.lower_bound = memory.lower_bound;
    space.naive = memory.naive_bytes;
    space.imported_bound = memory.imported_lower_bound;
    space.device = device;
    space.layout = static_cast<schema::Layout>(layout);
  }

  void AddTensor(const Program::Tensor& tensor) {
    auto& table = *built_.tensors.emplace_back(std::make_unique<schema::TensorT>());
    table.dtype = PlanDType(tensor.type);
    table.shape = Dims(tensor.type);
    table.symbols = tensor.symbols;
    for (int& symbol : table.symbols)
      if (symbol >= 0) symbol += first_symbol_;
    if (tensor.buffer >= 0)
      table.buffer = first_buffers_[static_cast<size_t>(tensor.space)] + tensor.buffer;
    if (tensor.weight >= 0) table.weight = weights_[static_cast<size_t>(tensor.weight)];
    if (tensor.state >= 0) table.state = states_[static_cast<size_t>(tensor.state)];
    table.offset = tensor.offset;
  }

  void AddStep(const Program::Step& step, schema::RegionT* region) const {
    auto& table = *region->steps.emplace_back(std::make_unique<schema::StepT>());
    table.control = ControlOf(step);
    table.inputs = step.inputs;
    table.outputs = step.outputs;
    table.sources = step.node->sources();
    if (table.sources.empty()) table.sources.push_back(step.node->name());
    table.regions = step.regions;
    if (table.control != schema::Control::None) return;
    if (step.scratch >= 0)
      table.scratch = first_buffers_[static_cast<size_t>(step.space)] + step.scratch;
    table.op = static_cast<schema::OpKind>(step.node->kind());
    table.attrs = EncodeAttrs(step.node->kind(), step.node->attrs().data());
    for (const auto& [slot, symbol] : step.attr_extents)
      table.attr_extents.emplace_back(slot, first_symbol_ + symbol);
    for (const auto& [symbol, output, element] : step.sets)
      table.sets.emplace_back(first_symbol_ + symbol, output, element);
  }

  schema::RegionT& AddRegion(std::span<const Program::Step> steps) {
    schema::RegionT& region = *built_.regions.emplace_back(std::make_unique<schema::RegionT>());
    for (const Program::Step& step : steps) AddStep(step, &region);
    return region;
  }

  bool AnyComputesMargins() const {
    return std::ranges::any_of(built_.regions, [](const auto& region) {
      return std::ranges::any_of(region->steps,
                                 [](const auto& step) { return ComputesMargins(*step); });
    });
  }

  void AddRegions() {
    schema::RegionT& whole = AddRegion(program_.steps);
    for (const Program::Update& update : program_.updates) {
      whole.arguments.push_back(update.state);
      whole.results.push_back(update.next);
    }
    for (const Program::Region& region : program_.regions)
      AddRegion(region.steps).results = region.results;
  }

  void AddStrips() {
    built_.required_features.emplace_back(kStripsFeature);
    for (const Program::Strips& strips : program_.strips)
      built_.strips.emplace_back(static_cast<uint32_t>(strips.first),
                                 static_cast<uint32_t>(strips.count),
                                 static_cast<uint32_t>(strips.rows));
  }

  // Steps of one space that follow each other.
  void AddSegments() {
    built_.required_features.emplace_back(kSegmentsFeature);
    if (std::ranges::any_of(program_.devices, [](const Program::Space& space) {
          return space.layout != Layout::kDense;
        }))
      built_.required_features.emplace_back(kLayoutsFeature);
    if (std::ranges::any_of(program_.devices, [](const Program::Space& space) {
          return space.layout == Layout::kRows4Half;
        }))
      built_.required_features.emplace_back(kHalfFeature);
    const std::vector<Program::Step>& steps = program_.steps;
    for (size_t first = 0, end = 0; first < steps.size(); first = end) {
      while (end < steps.size() && steps[end].space == steps[first].space) ++end;
      auto& segment = *built_.segments.emplace_back(std::make_unique<schema::SegmentT>());
      segment.backend = static_cast<uint8_t>(steps[first].space);
      segment.first = static_cast<uint32_t>(first);
      segment.count = static_cast<uint32_t>(end - first);
    }
  }

  const Program& program_;
  const std::span<const int> weights_;
  PlanStructure& plan_;
  schema::ProgramT& built_;
  const int first_symbol_;
  std::vector<int> states_;         // the plan's numbers of the program's states
  std::vector<int> first_buffers_;  // by space
};

std::unique_ptr<schema::WeightT> Weight(const WeightLayout::Weight& weight) {
  auto table = std::make_unique<schema::WeightT>();
  table->offset = static_cast<uint64_t>(weight.offset);
  table->size = static_cast<uint64_t>(weight.bytes);
  table->encoding = weight.encoding;
  if (IsAffine(weight.encoding))
    table->affine = std::make_unique<schema::Affine>(weight.value->affine);
  return table;
}

}  // namespace

PlanStructure BuildStructure(std::span<const Program> programs, const WeightLayout& layout) {
  PlanStructure plan;
  plan.producer = "linnet " LINNET_VERSION;
  for (const WeightLayout::Weight& weight : layout.weights) plan.weights.push_back(Weight(weight));
  for (size_t i = 0; i < programs.size(); ++i)
    ProgramBuilder(programs[i], layout.indices[i], &plan).Build();
  plan.needs_runtime = OldestReleaseFor(plan).name;
  return plan;
}

flatbuffers::DetachedBuffer PackStructure(const PlanStructure& plan) {
  PlanStructure stored = plan;
  ShareNames(&stored);
  flatbuffers::FlatBufferBuilder fbb(size_t{64} * 1024);
  schema::FinishPlanBuffer(fbb, schema::Plan::Pack(fbb, &stored));
  return fbb.Release();
}

PlanStructure UnpackStructure(std::span<const uint8_t> structure) {
  // FlatBuffers wants the alignment that it had when written.
  std::vector<uint64_t> aligned((structure.size() + 7) / 8);
  std::memcpy(aligned.data(), structure.data(), structure.size());
  PlanStructure plan;
  schema::GetPlan(aligned.data())->UnPackTo(&plan);
  RepeatNames(&plan);
  return plan;
}

PlanStructure ReadStructure(std::span<const std::byte> file) {
  FileHeader header;
  std::memcpy(&header, file.data(), sizeof(header));
  const std::span<const std::byte> structure = file.subspan(
      static_cast<size_t>(header.structure_offset), static_cast<size_t>(header.structure_bytes));
  PlanStructure plan =
      UnpackStructure({reinterpret_cast<const uint8_t*>(structure.data()), structure.size()});
  std::erase_if(plan.programs,
                [](const auto& program) { return !VariantOf(program->variant.c_str()); });
  return plan;
}

}  // namespace linnet::converter
