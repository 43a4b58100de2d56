// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/plan_structure.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/region.h"
#include "runtime/ops/op_codec.h"
#include "runtime/plan/file_header.h"
#include "schema/plan_generated.h"

namespace linnet::converter {
namespace {

// The states of all programs: those of one name are one.
struct StateTable {
  std::vector<Program::State> states;     // initial: into the layout's weights
  std::vector<std::vector<int>> indices;  // [program][its own number] -> into `states`
};

StateTable CollectStates(std::span<const Program> programs, const WeightLayout& layout) {
  StateTable table;
  for (size_t p = 0; p < programs.size(); ++p) {
    auto& indices = table.indices.emplace_back();
    for (Program::State state : programs[p].states) {
      if (state.initial >= 0) state.initial = layout.indices[p][static_cast<size_t>(state.initial)];
      const auto same = std::ranges::find(table.states, state.name, &Program::State::name);
      indices.push_back(static_cast<int>(same - table.states.begin()));
      if (same == table.states.end()) table.states.push_back(std::move(state));
    }
  }
  return table;
}

class StructureBuilder {
 public:
  StructureBuilder(std::span<const Program> programs, const WeightLayout& layout)
      : programs_(programs), layout_(layout), states_(CollectStates(programs, layout)) {}

  flatbuffers::DetachedBuffer Build() {
    const auto weights = Weights();
    std::vector<flatbuffers::Offset<schema::Program>> tables;
    for (size_t i = 0; i < programs_.size(); ++i) {
      first_symbol_ = static_cast<int>(symbols_.size());
      for (const PlanSymbols::Symbol& symbol : programs_[i].symbols)
        symbols_.push_back(Symbol(symbol));
      tables.push_back(ProgramTable(programs_[i], layout_.indices[i], states_.indices[i]));
    }
    const auto programs = fbb_.CreateVector(tables);
    const auto states = States();
    Tables<schema::Symbol> symbols;
    if (!symbols_.empty()) symbols = fbb_.CreateVector(symbols_);
    const auto producer = fbb_.CreateString("linnet " LINNET_VERSION);
    schema::PlanBuilder plan(fbb_);
    plan.add_producer(producer);
    plan.add_weights(weights);
    plan.add_states(states);
    if (!symbols.IsNull()) plan.add_symbols(symbols);
    plan.add_programs(programs);
    schema::FinishPlanBuffer(fbb_, plan.Finish());
    return fbb_.Release();
  }

 private:
  template <typename T>
  using Tables = flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<T>>>;

  Tables<schema::Weight> Weights() {
    std::vector<flatbuffers::Offset<schema::Weight>> weights;
    for (size_t i = 0; i < layout_.weights.size(); ++i) {
      const Constant& constant = *layout_.weights[i];
      const bool affine = constant.encoding == schema::Encoding::AffineU8 ||
                          constant.encoding == schema::Encoding::AffineU16;
      weights.push_back(schema::CreateWeight(fbb_, static_cast<uint64_t>(layout_.offsets[i]),
                                             constant.bytes.size(), constant.encoding,
                                             affine ? &constant.affine : nullptr));
    }
    return fbb_.CreateVector(weights);
  }

  Tables<schema::State> States() {
    std::vector<flatbuffers::Offset<schema::State>> states;
    for (const Program::State& state : states_.states) {
      const auto dims = state.type.shape.dims();
      const auto name = fbb_.CreateString(state.name);
      const auto shape = fbb_.CreateVector(dims.data(), dims.size());
      states.push_back(schema::CreateState(fbb_, name, static_cast<schema::DType>(state.type.dtype),
                                           shape, state.initial));
    }
    return fbb_.CreateVector(states);
  }

  flatbuffers::Offset<schema::Symbol> Symbol(const PlanSymbols::Symbol& symbol) {
    std::vector<schema::Term> terms;
    for (const auto& [number, factor] : symbol.terms)
      terms.emplace_back(first_symbol_ + number, factor);
    const auto name = fbb_.CreateString(symbol.name);
    const auto list = fbb_.CreateVectorOfStructs(terms);
    return schema::CreateSymbol(fbb_, name, symbol.max, symbol.min, symbol.constant, list);
  }

  // Numbers of the program's symbols become numbers of the plan's.
  std::vector<int> PlanNumbers(std::vector<int> symbols) const {
    for (int& symbol : symbols)
      if (symbol >= 0) symbol += first_symbol_;
    return symbols;
  }

  flatbuffers::Offset<schema::Tensor> Tensor(const Program::Tensor& tensor, int first_buffer,
                                             std::span<const int> weights,
                                             std::span<const int> states) {
    const auto dims = tensor.type.shape.dims();
    const auto shape = fbb_.CreateVector(dims.data(), dims.size());
    flatbuffers::Offset<flatbuffers::Vector<int32_t>> symbols;
    if (!tensor.symbols.empty()) symbols = fbb_.CreateVector(PlanNumbers(tensor.symbols));
    schema::TensorBuilder table(fbb_);
    if (!symbols.IsNull()) table.add_symbols(symbols);
    table.add_dtype(static_cast<schema::DType>(tensor.type.dtype));
    table.add_shape(shape);
    table.add_buffer(tensor.buffer < 0 ? -1 : first_buffer + tensor.buffer);
    table.add_weight(tensor.weight < 0 ? -1 : weights[static_cast<size_t>(tensor.weight)]);
    table.add_state(tensor.state < 0 ? -1 : states[static_cast<size_t>(tensor.state)]);
    table.add_offset(tensor.offset);
    return table.Finish();
  }

  flatbuffers::Offset<schema::Step> Step(const Program::Step& step) {
    const schema::Control control = ControlOf(step);
    const bool has_op = control == schema::Control::None;
    flatbuffers::Offset<flatbuffers::Vector<uint8_t>> attrs;
    flatbuffers::Offset<flatbuffers::Vector<int32_t>> regions;
    if (has_op) {
      const std::vector<uint8_t> encoded =
          EncodeAttrs(step.node->kind(), step.node->attrs().data());
      fbb_.ForceVectorAlignment(encoded.size(), 1, 8);
      attrs = fbb_.CreateVector(encoded);
    } else if (!step.is_copy) {
      regions = fbb_.CreateVector(step.regions);
    }
    const auto inputs = fbb_.CreateVector(step.inputs);
    const auto outputs = fbb_.CreateVector(step.outputs);
    std::vector<std::string> names = step.node->sources();
    if (names.empty()) names.push_back(step.node->name());
    const auto sources = fbb_.CreateVectorOfStrings(names);
    flatbuffers::Offset<flatbuffers::Vector<const schema::AttrExtent*>> attr_extents;
    flatbuffers::Offset<flatbuffers::Vector<const schema::SetSymbol*>> sets;
    if (!step.attr_extents.empty()) attr_extents = AttrExtents(step.attr_extents);
    if (!step.sets.empty()) sets = Sets(step.sets);
    if (has_op)
      return schema::CreateStep(fbb_, static_cast<schema::OpKind>(step.node->kind()), attrs, inputs,
                                outputs, sources, control, 0, attr_extents, sets);
    return schema::CreateStep(fbb_, {}, attrs, inputs, outputs, sources, control, regions);
  }

  flatbuffers::Offset<flatbuffers::Vector<const schema::AttrExtent*>> AttrExtents(
      std::span<const PlanSymbols::AttrExtent> extents) {
    std::vector<schema::AttrExtent> structs;
    for (const auto& [slot, symbol] : extents) structs.emplace_back(slot, first_symbol_ + symbol);
    return fbb_.CreateVectorOfStructs(structs);
  }

  flatbuffers::Offset<flatbuffers::Vector<const schema::SetSymbol*>> Sets(
      std::span<const PlanSymbols::Set> sets) {
    std::vector<schema::SetSymbol> structs;
    for (const auto& [symbol, output, element] : sets)
      structs.emplace_back(first_symbol_ + symbol, output, element);
    return fbb_.CreateVectorOfStructs(structs);
  }

  Tables<schema::Port> Ports(std::span<const Program::Port> ports) {
    std::vector<flatbuffers::Offset<schema::Port>> tables;
    for (const Program::Port& port : ports)
      tables.push_back(schema::CreatePortDirect(fbb_, port.name.name.c_str(),
                                                port.name.source.c_str(), port.tensor));
    return fbb_.CreateVector(tables);
  }

  flatbuffers::Offset<schema::Region> Region(std::span<const Program::Step> steps,
                                             const std::vector<int32_t>& arguments,
                                             const std::vector<int32_t>& results) {
    std::vector<flatbuffers::Offset<schema::Step>> tables;
    for (const Program::Step& step : steps) tables.push_back(Step(step));
    return schema::CreateRegionDirect(fbb_, &arguments, &results, &tables);
  }

  Tables<schema::Region> Regions(const Program& program) {
    std::vector<int32_t> arguments, results;
    for (const Program::Update& update : program.updates) {
      arguments.push_back(update.state);
      results.push_back(update.next);
    }
    std::vector regions{Region(program.steps, arguments, results)};
    for (const Program::Region& region : program.regions)
      regions.push_back(Region(region.steps, {}, region.results));
    return fbb_.CreateVector(regions);
  }

  // Of all spaces, one space after another.
  Tables<schema::Buffer> Buffers(const Program& program) {
    std::vector<flatbuffers::Offset<schema::Buffer>> buffers;
    const auto add = [&](const planner::MemoryPlan& memory, uint8_t space) {
      for (const planner::BufferPlace& buffer : memory.buffers)
        buffers.push_back(schema::CreateBuffer(fbb_, space, buffer.offset, buffer.bytes));
    };
    add(program.memory, 0);
    for (size_t i = 0; i < program.devices.size(); ++i)
      add(program.devices[i].memory, static_cast<uint8_t>(i + 1));
    return fbb_.CreateVector(buffers);
  }

  // By space: the number of its first buffer among those of all.
  static std::vector<int> FirstBuffers(const Program& program) {
    std::vector<int> first{0, static_cast<int>(program.memory.buffers.size())};
    for (const Program::Space& space : program.devices)
      first.push_back(first.back() + static_cast<int>(space.memory.buffers.size()));
    return first;
  }

  flatbuffers::Offset<schema::Space> Space(const planner::MemoryPlan& memory,
                                           const std::string& device) {
    flatbuffers::Offset<flatbuffers::String> name;
    if (!device.empty()) name = fbb_.CreateString(device);
    return schema::CreateSpace(fbb_, device.empty() ? 0 : 1, memory.arena_bytes,
                               device.empty() ? static_cast<int>(kHostAlignment) : kDeviceAlignment,
                               memory.lower_bound, memory.naive_bytes, memory.imported_lower_bound,
                               name);
  }

  std::vector<flatbuffers::Offset<schema::Space>> Spaces(const Program& program) {
    std::vector spaces{Space(program.memory, "")};
    for (const Program::Space& space : program.devices)
      spaces.push_back(Space(space.memory, space.device));
    return spaces;
  }

  // Steps of one space that follow each other.
  Tables<schema::Segment> Segments(std::span<const Program::Step> steps) {
    std::vector<flatbuffers::Offset<schema::Segment>> segments;
    for (size_t first = 0, end = 0; first < steps.size(); first = end) {
      while (end < steps.size() && steps[end].space == steps[first].space) ++end;
      segments.push_back(schema::CreateSegment(fbb_, static_cast<uint8_t>(steps[first].space),
                                               static_cast<uint32_t>(first),
                                               static_cast<uint32_t>(end - first)));
    }
    return fbb_.CreateVector(segments);
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>> Features(
      const Program& program) {
    std::vector<std::string> features;
    if (!program.regions.empty()) features.emplace_back(kRegionsFeature);
    if (!program.devices.empty()) features.emplace_back(kSegmentsFeature);
    if (features.empty()) return {};
    return fbb_.CreateVectorOfStrings(features);
  }

  flatbuffers::Offset<schema::Program> ProgramTable(const Program& program,
                                                    std::span<const int> weights,
                                                    std::span<const int> states) {
    const std::vector<int> first_buffers = FirstBuffers(program);
    std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
    for (const Program::Tensor& tensor : program.tensors)
      tensors.push_back(
          Tensor(tensor, first_buffers[static_cast<size_t>(tensor.space)], weights, states));
    const auto space_tables = Spaces(program);
    const auto key = fbb_.CreateString(program.key);
    const auto inputs = Ports(program.inputs);
    const auto outputs = Ports(program.outputs);
    const auto signature = schema::CreateSignature(fbb_, key, inputs, outputs);
    const auto tensor_tables = fbb_.CreateVector(tensors);
    const auto buffers = Buffers(program);
    const auto regions = Regions(program);
    const auto spaces = fbb_.CreateVector(space_tables);
    Tables<schema::Segment> segments;
    if (!program.devices.empty()) segments = Segments(program.steps);
    const auto variant = fbb_.CreateString("host");
    const auto features = Features(program);
    schema::ProgramBuilder table(fbb_);
    if (!features.IsNull()) table.add_required_features(features);
    table.add_signature(signature);
    table.add_variant(variant);
    table.add_tensors(tensor_tables);
    table.add_buffers(buffers);
    table.add_regions(regions);
    if (!segments.IsNull()) table.add_segments(segments);
    table.add_spaces(spaces);
    return table.Finish();
  }

  std::span<const Program> programs_;
  const WeightLayout& layout_;
  const StateTable states_;
  std::vector<flatbuffers::Offset<schema::Symbol>> symbols_;
  int first_symbol_ = 0;  // of the program at hand
  flatbuffers::FlatBufferBuilder fbb_{size_t{64} * 1024};
};

}  // namespace

flatbuffers::DetachedBuffer BuildStructure(std::span<const Program> programs,
                                           const WeightLayout& layout) {
  return StructureBuilder(programs, layout).Build();
}

}  // namespace linnet::converter
