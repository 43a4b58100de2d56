// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/program_parser.h"

#include <algorithm>

#include "runtime/core/encoding.h"
#include "runtime/plan/plan_tables.h"
#include "runtime/plan/releases.h"

namespace linnet {
namespace {

using namespace plan_tables;

constexpr int64_t kMaxStepTensors = 1 << 12;
constexpr int64_t kMaxStepExtents = 64;  // an op has fewer attributes

static_assert(static_cast<int>(schema::Layout::MAX) + 1 == kNumLayouts);

// A buffer starts at a multiple of this in its space.
constexpr int64_t BufferAlignment(Layout layout) {
  return HasRows4(layout) ? kRows4Alignment : kHostAlignment;
}

}  // namespace

Status ProgramParser::Parse(PlanProgram* program) {
  LINNET_RETURN_IF_ERROR(CheckFeatures());
  LINNET_RETURN_IF_ERROR(ParseSpaces(program));
  LINNET_RETURN_IF_ERROR(ParseBuffers(program));
  LINNET_RETURN_IF_ERROR(ParseTensors(program));
  LINNET_RETURN_IF_ERROR(ParseRegions(program));
  return ParseSignature(program);
}

Status ProgramParser::Error(const char* what, const char* kind, int64_t item) const {
  return Bad(diagnostic_, what, index_, kind, item);
}

Status ProgramParser::CheckFeatures() const {
  for (int64_t i = 0; i < Size(table_.required_features()); ++i) {
    const flatbuffers::String& name = *table_.required_features()->Get(static_cast<uint32_t>(i));
    if (FindFeature({name.c_str(), name.size()}) != nullptr) continue;
    if (diagnostic_ != nullptr)
      diagnostic_->Format("program %lld needs the feature '%.60s', which this build does not have",
                          static_cast<long long>(index_), name.c_str());
    return {StatusCode::kUnsupported, "the plan needs a feature that this build does not have"};
  }
  return {};
}

Status ProgramParser::ParseSpaces(PlanProgram* program) {
  const int64_t count = Size(table_.spaces());
  if (count < 1 || count > kMaxSpaces)
    return Error("must be the host's arena and at most three others", "spaces", count);
  auto* spaces = region_.New<PlanSpace>(count);
  if (spaces == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Space& space = *table_.spaces()->Get(static_cast<uint32_t>(i));
    if (space.size() < 0 || space.size() > kMaxSpaceBytes || space.kind() != (i > 0) ||
        (*Text(space.device()) != '\0') != (i > 0))
      return Error("want the host's arena, then devices' memory, of a size in range", "space", i);
    if (space.layout() > schema::Layout::MAX) return Error("unknown layout", "space", i);
    const auto layout = static_cast<Layout>(space.layout());
    if (i == 0 && layout != Layout::kDense)
      return Error("the host's arena must be dense", "space", i);
    spaces[i] = {Text(space.device()), space.size(),           space.lower_bound(),
                 space.naive(),        space.imported_bound(), layout};
  }
  program->spaces = {spaces, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseBuffers(PlanProgram* program) {
  const int64_t count = Size(table_.buffers());
  if (count == 0) return {};
  auto* buffers = region_.New<PlanBuffer>(count);
  if (buffers == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Buffer& buffer = *table_.buffers()->Get(static_cast<uint32_t>(i));
    if (buffer.space() >= program->spaces.size() || buffer.offset() < 0 || buffer.size() < 0 ||
        !Inside(buffer.offset(), buffer.size(), program->spaces[buffer.space()].bytes) ||
        buffer.offset() % BufferAlignment(program->spaces[buffer.space()].layout) != 0)
      return Error("lies outside its space or is not aligned", "buffer", i);
    buffers[i] = {buffer.offset(), buffer.size(), buffer.space()};
  }
  program->buffers = {buffers, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseTensors(PlanProgram* program) {
  const int64_t count = Size(table_.tensors());
  if (count == 0) return {};
  auto* tensors = region_.New<PlanTensor>(count);
  if (tensors == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i)
    LINNET_RETURN_IF_ERROR(
        ParseTensor(*table_.tensors()->Get(static_cast<uint32_t>(i)), i, *program, &tensors[i]));
  program->tensors = {tensors, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseTensor(const schema::Tensor& table, int64_t i,
                                  const PlanProgram& program, PlanTensor* tensor) {
  if (!IsDType(table.dtype())) return Error("unknown dtype", "tensor", i);
  if (Size(table.shape()) > kMaxRank) return Error("rank above 8", "tensor", i);
  if (table.row_pitch() != 0)
    return Error("row pitches are not supported by this build", "tensor", i);
  int64_t bytes;  // of a dense tensor
  if (!ReadType(table, &tensor->type, &bytes))
    return Error("negative dimension or too many elements", "tensor", i);
  if (Size(table.symbols()) != 0 && !ParseSymbols(*table.symbols(), tensor))
    return Error("want one symbol or -1 per dimension", "tensor", i);
  if (tensor->varies() && table.buffer() < 0)
    return Error("only tensors in the arena can vary", "tensor", i);
  if ((table.buffer() >= 0) + (table.weight() >= 0) + (table.state() >= 0) != 1)
    return Error("want exactly one of buffer, weight and state", "tensor", i);
  if (table.state() >= 0) return PlaceInState(table, i, tensor);
  if (table.buffer() >= 0) return PlaceInBuffer(table, i, program, tensor);
  return PlaceInWeight(table, i, tensor);
}

Status ProgramParser::PlaceInState(const schema::Tensor& table, int64_t i,
                                   PlanTensor* tensor) const {
  if (table.state() >= static_cast<int64_t>(states_.size()))
    return Error("no such state", "tensor", i);
  if (tensor->type != states_[table.state()].type)
    return Error("its type is not the state's", "tensor", i);
  tensor->storage = Storage::kState;
  tensor->index = table.state();
  return {};
}

Status ProgramParser::PlaceInBuffer(const schema::Tensor& table, int64_t i,
                                    const PlanProgram& program, PlanTensor* tensor) const {
  if (table.buffer() >= static_cast<int64_t>(program.buffers.size()))
    return Error("no such buffer", "tensor", i);
  const PlanBuffer& buffer = program.buffers[table.buffer()];
  const Layout layout = program.spaces[buffer.space].layout;
  if (!HasForm(layout, tensor->type.dtype))
    return Error("the layout of its space has no form for its dtype", "tensor", i);
  if (table.offset() < 0 || !Inside(table.offset(), BytesIn(layout, tensor->type), buffer.bytes) ||
      table.offset() % TensorAlignment(layout, tensor->type.dtype) != 0)
    return Error("lies outside its buffer or is not aligned", "tensor", i);
  tensor->storage = Storage::kArena;
  tensor->index = table.buffer();
  tensor->offset = buffer.offset + table.offset();
  tensor->space = buffer.space;
  return {};
}

Status ProgramParser::PlaceInWeight(const schema::Tensor& table, int64_t i,
                                    PlanTensor* tensor) const {
  if (table.weight() >= static_cast<int64_t>(weights_.size()))
    return Error("no such weight", "tensor", i);
  const PlanWeight& weight = weights_[table.weight()];
  if (weight.encoding != schema::Encoding::Plain && tensor->type.dtype != DType::kFloat32)
    return Error("an encoded weight must be f32", "tensor", i);
  if (weight.bytes != EncodedBytes(tensor->type, weight.encoding))
    return Error("shape and size of the weight differ", "tensor", i);
  tensor->storage = Storage::kWeight;
  tensor->index = table.weight();
  return {};
}

bool ProgramParser::IsSymbol(int64_t index) const {
  return index >= 0 && index < static_cast<int64_t>(symbols_.size());
}

bool ProgramParser::ParseSymbols(const flatbuffers::Vector<int32_t>& table,
                                 PlanTensor* tensor) const {
  if (Size(&table) != tensor->type.shape.rank()) return false;
  for (const int32_t symbol : table)
    if (symbol != -1 && !IsSymbol(symbol)) return false;
  tensor->symbols = {reinterpret_cast<const int32_t*>(table.Data()), table.size()};
  return true;
}

Status ProgramParser::ParseExtents(const schema::Step& table, int64_t i, PlanStep* step) const {
  if (Size(table.attr_extents()) > kMaxStepExtents || Size(table.sets()) > kMaxStepExtents)
    return Error("too many symbols", "step", i);
  step->attr_extents = Structs(table.attr_extents());
  step->sets = Structs(table.sets());
  for (const schema::AttrExtent& extent : step->attr_extents)
    if (!IsSymbol(extent.symbol())) return Error("no such symbol", "step", i);
  for (const schema::SetSymbol& set : step->sets)
    if (!IsSymbol(set.symbol()) || !symbols_[set.symbol()].is_free())
      return Error("sets a symbol that follows from others", "step", i);
  return {};
}

Status ProgramParser::ParseIndices(const flatbuffers::Vector<int32_t>* vector,
                                   const PlanProgram& program, int64_t step,
                                   std::span<const int32_t>* out) {
  const int64_t count = Size(vector);
  if (count > kMaxStepTensors) return Error("too many inputs or outputs", "step", step);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t tensor = vector->Get(static_cast<uint32_t>(i));
    if (tensor < 0 || tensor >= static_cast<int64_t>(program.tensors.size()))
      return Error("no such tensor", "step", step);
  }
  *out = {count == 0 ? nullptr : reinterpret_cast<const int32_t*>(vector->Data()),
          static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseRegions(PlanProgram* program) {
  const int64_t count = Size(table_.regions());
  if (count == 0) return Error("want at least one", "regions", 0);
  int64_t num_steps = 0;
  for (const schema::Region* region : *table_.regions()) num_steps += Size(region->steps());
  auto* regions = region_.New<PlanRegion>(count);
  auto* steps = region_.New<PlanStep>(num_steps);
  if (regions == nullptr || steps == nullptr) return kNoMemoryToOpen;
  program->regions = {regions, static_cast<size_t>(count)};
  program->steps = {steps, static_cast<size_t>(num_steps)};
  for (int64_t i = 0, first = 0; i < count; first += regions[i++].count) {
    const schema::Region& table = *table_.regions()->Get(static_cast<uint32_t>(i));
    regions[i].first = static_cast<int32_t>(first);
    regions[i].count = static_cast<int32_t>(Size(table.steps()));
    LINNET_RETURN_IF_ERROR(ParseSteps(table, *program, first, steps));
    if (i == 0) continue;
    if (Size(table.arguments()) != 0) return Error("has arguments", "region", i);
    LINNET_RETURN_IF_ERROR(ParseIndices(table.results(), *program, first, &regions[i].results));
  }
  LINNET_RETURN_IF_ERROR(ParseSegments(*program, steps));
  return ParseUpdates(*table_.regions()->Get(0), program);
}

Status ProgramParser::ParseSegments(const PlanProgram& program, PlanStep* steps) const {
  const auto end = static_cast<uint32_t>(program.regions[0].count);
  uint32_t next = 0;
  for (int64_t i = 0; i < Size(table_.segments()); ++i) {
    const schema::Segment& segment = *table_.segments()->Get(static_cast<uint32_t>(i));
    if (segment.first() != next || segment.count() == 0 || segment.count() > end - next)
      return Error("does not begin where the one before ends", "segment", i);
    if (segment.backend() >= program.spaces.size()) return Error("no such space", "segment", i);
    for (uint32_t k = 0; k < segment.count(); ++k) steps[next++].space = segment.backend();
  }
  if (next != end && next != 0) return Error("do not contain all steps", "segments", next);
  return {};
}

Status ProgramParser::ParseSteps(const schema::Region& region, const PlanProgram& program,
                                 int64_t first, PlanStep* steps) {
  for (int64_t k = 0; k < Size(region.steps()); ++k) {
    const int64_t i = first + k;
    const schema::Step& step = *region.steps()->Get(static_cast<uint32_t>(k));
    steps[i].op = static_cast<uint16_t>(step.op());
    if (step.attrs() != nullptr) steps[i].attrs = {step.attrs()->Data(), step.attrs()->size()};
    LINNET_RETURN_IF_ERROR(ParseName(step, i, &steps[i]));
    LINNET_RETURN_IF_ERROR(ParseIndices(step.inputs(), program, i, &steps[i].inputs));
    LINNET_RETURN_IF_ERROR(ParseIndices(step.outputs(), program, i, &steps[i].outputs));
    LINNET_RETURN_IF_ERROR(ParseControl(step, program, i, &steps[i]));
    LINNET_RETURN_IF_ERROR(ParseExtents(step, i, &steps[i]));
    if (step.scratch() >= static_cast<int64_t>(program.buffers.size()))
      return Error("no such buffer", "step", i);
    steps[i].scratch = std::max(step.scratch(), -1);
  }
  return {};
}

Status ProgramParser::ParseName(const schema::Step& step, int64_t i, PlanStep* out) const {
  if (Size(step.sources()) > 0) out->source = Text(step.sources()->Get(0));
  if (step.named_after() < 0) return {};
  const int64_t program = table_.named_after();
  if (program < 0 || program >= static_cast<int64_t>(earlier_.size()) ||
      step.named_after() >= static_cast<int64_t>(earlier_[program].steps.size()))
    return Error("is named after a step that does not exist", "step", i);
  out->source = earlier_[program].steps[step.named_after()].source;
  return {};
}

Status ProgramParser::ParseControl(const schema::Step& step, const PlanProgram& program, int64_t i,
                                   PlanStep* out) {
  if (step.control() > schema::Control::MAX) return Error("unknown control", "step", i);
  const bool runs_others =
      step.control() == schema::Control::While || step.control() == schema::Control::If;
  const int64_t wanted = runs_others ? 2 : 0;
  if (Size(step.regions()) != wanted) return Error("wrong number of regions", "step", i);
  for (int64_t k = 0; k < wanted; ++k) {
    const int32_t region = step.regions()->Get(static_cast<uint32_t>(k));
    if (region < 1 || region >= static_cast<int64_t>(program.regions.size()))
      return Error("no such region", "step", i);
  }
  out->control = step.control();
  if (wanted != 0)
    out->regions = {reinterpret_cast<const int32_t*>(step.regions()->Data()),
                    static_cast<size_t>(wanted)};
  return {};
}

Status ProgramParser::ParseUpdates(const schema::Region& region, PlanProgram* program) {
  std::span<const int32_t> states, next;
  LINNET_RETURN_IF_ERROR(ParseIndices(region.arguments(), *program, 0, &states));
  LINNET_RETURN_IF_ERROR(ParseIndices(region.results(), *program, 0, &next));
  if (states.size() != next.size()) return Error("want a result for each argument", "region", 0);
  if (states.empty()) return {};
  auto* updates = region_.New<PlanUpdate>(static_cast<int64_t>(states.size()));
  if (updates == nullptr) return kNoMemoryToOpen;
  for (size_t i = 0; i < states.size(); ++i) updates[i] = {states[i], next[i]};
  program->updates = {updates, states.size()};
  return {};
}

Status ProgramParser::ParsePorts(
    const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>* vector,
    const PlanProgram& program, const char* kind, std::span<const PlanPort>* out) {
  const int64_t count = Size(vector);
  if (count == 0) return {};
  auto* ports = region_.New<PlanPort>(count);
  if (ports == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Port& port = *vector->Get(static_cast<uint32_t>(i));
    if (port.tensor() < 0 || port.tensor() >= static_cast<int64_t>(program.tensors.size()))
      return Error("no such tensor", kind, i);
    ports[i] = {Text(port.name()), Text(port.source()), port.tensor()};
  }
  *out = {ports, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseSignature(PlanProgram* program) {
  const schema::Signature* signature = table_.signature();
  if (signature == nullptr) return Error("missing", "signature", 0);
  program->key = Text(signature->key());
  LINNET_RETURN_IF_ERROR(ParsePorts(signature->inputs(), *program, "input", &program->inputs));
  return ParsePorts(signature->outputs(), *program, "output", &program->outputs);
}

}  // namespace linnet
