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

Status ProgramParser::Parse() {
  LINNET_RETURN_IF_ERROR(CheckFeatures());
  LINNET_RETURN_IF_ERROR(ParseSpaces());
  LINNET_RETURN_IF_ERROR(ParseBuffers());
  LINNET_RETURN_IF_ERROR(ParseTensors());
  LINNET_RETURN_IF_ERROR(ParseRegions());
  return ParseSignature();
}

Status ProgramParser::Error(const char* what) const {
  return Bad(diagnostic_, what, index_, kind_, item_);
}

Status ProgramParser::Error(const char* what, const char* kind, int64_t item) {
  At(kind, item);
  return Error(what);
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

Status ProgramParser::ParseSpaces() {
  const int64_t count = Size(table_.spaces());
  if (count < 1 || count > kMaxSpaces)
    return Error("must be the host's arena and at most three others", "spaces", count);
  if (count != 1 && !kLinkedDevices) return NotLinked("device but the CPU", diagnostic_);
  auto* spaces = region_.New<PlanSpace>(count);
  if (spaces == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    At("space", i);
    const schema::Space& space = *table_.spaces()->Get(static_cast<uint32_t>(i));
    if (space.size() < 0 || space.size() > kMaxSpaceBytes || space.kind() != (i > 0) ||
        (*Text(space.device()) != '\0') != (i > 0))
      return Error("want the host's arena, then devices' memory, of a size in range");
    if (space.layout() > schema::Layout::MAX) return Error("unknown layout");
    const auto layout = static_cast<Layout>(space.layout());
    if (i == 0 && layout != Layout::kDense) return Error("the host's arena must be dense");
    spaces[i] = {Text(space.device()), space.size(),           space.lower_bound(),
                 space.naive(),        space.imported_bound(), layout};
  }
  program_.spaces = {spaces, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseBuffers() {
  const int64_t count = Size(table_.buffers());
  if (count == 0) return {};
  auto* buffers = region_.New<PlanBuffer>(count);
  if (buffers == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    At("buffer", i);
    const schema::Buffer& buffer = *table_.buffers()->Get(static_cast<uint32_t>(i));
    if (buffer.space() >= program_.spaces.size() || buffer.offset() < 0 || buffer.size() < 0 ||
        !Inside(buffer.offset(), buffer.size(), program_.spaces[buffer.space()].bytes) ||
        buffer.offset() % BufferAlignment(program_.spaces[buffer.space()].layout) != 0)
      return Error("lies outside its space or is not aligned");
    buffers[i] = {buffer.offset(), buffer.size(), buffer.space()};
  }
  program_.buffers = {buffers, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseTensors() {
  const int64_t count = Size(table_.tensors());
  if (count == 0) return {};
  auto* tensors = region_.New<PlanTensor>(count);
  if (tensors == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    At("tensor", i);
    LINNET_RETURN_IF_ERROR(
        ParseTensor(*table_.tensors()->Get(static_cast<uint32_t>(i)), &tensors[i]));
  }
  program_.tensors = {tensors, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseTensor(const schema::Tensor& table, PlanTensor* tensor) {
  if (!IsDType(table.dtype())) return Error("unknown dtype");
  if (Size(table.shape()) > kMaxRank) return Error("rank above 8");
  if (table.row_pitch() != 0) return Error("row pitches are not supported by this build");
  int64_t bytes;  // of a dense tensor
  if (!ReadType(table.dtype(), table.shape(), &tensor->type, &bytes))
    return Error("negative dimension or too many elements");
  if (Size(table.symbols()) != 0 && !ParseSymbols(*table.symbols(), tensor))
    return Error("want one symbol or -1 per dimension");
  if (tensor->varies() && table.buffer() < 0) return Error("only tensors in the arena can vary");
  const int places = (table.buffer() >= 0) + (table.weight() >= 0) + (table.state() >= 0);
  if (places > 1 || (places == 0 && Size(table_.strips()) == 0))
    return Error("want exactly one of buffer, weight and state");
  if (places == 0) {
    tensor->storage = Storage::kStrips;
    return {};
  }
  if (table.state() >= 0) return PlaceInState(table, tensor);
  if (table.buffer() >= 0) return PlaceInBuffer(table, tensor);
  return PlaceInWeight(table, tensor);
}

Status ProgramParser::PlaceInState(const schema::Tensor& table, PlanTensor* tensor) const {
  if (table.state() >= static_cast<int64_t>(states_.size())) return Error("no such state");
  if (tensor->type != states_[table.state()].type) return Error("its type is not the state's");
  tensor->storage = Storage::kState;
  tensor->index = table.state();
  return {};
}

Status ProgramParser::PlaceInBuffer(const schema::Tensor& table, PlanTensor* tensor) const {
  if (table.buffer() >= static_cast<int64_t>(program_.buffers.size()))
    return Error("no such buffer");
  const PlanBuffer& buffer = program_.buffers[table.buffer()];
  const Layout layout = program_.spaces[buffer.space].layout;
  if (!HasForm(layout, tensor->type.dtype))
    return Error("the layout of its space has no form for its dtype");
  if (table.offset() < 0 || !Inside(table.offset(), BytesIn(layout, tensor->type), buffer.bytes) ||
      table.offset() % TensorAlignment(layout, tensor->type.dtype) != 0)
    return Error("lies outside its buffer or is not aligned");
  tensor->storage = Storage::kArena;
  tensor->index = table.buffer();
  tensor->offset = buffer.offset + table.offset();
  tensor->space = buffer.space;
  return {};
}

Status ProgramParser::PlaceInWeight(const schema::Tensor& table, PlanTensor* tensor) const {
  if (table.weight() >= static_cast<int64_t>(weights_.size())) return Error("no such weight");
  const PlanWeight& weight = weights_[table.weight()];
  if (weight.encoding != schema::Encoding::Plain && tensor->type.dtype != DType::kFloat32)
    return Error("an encoded weight must be f32");
  if (weight.bytes != EncodedBytes(tensor->type, weight.encoding))
    return Error("shape and size of the weight differ");
  tensor->storage = Storage::kWeight;
  tensor->index = table.weight();
  return {};
}

bool ProgramParser::IsSymbol(int64_t index) const {
  return kLinkedExtents && index >= 0 && index < static_cast<int64_t>(symbols_.size());
}

bool ProgramParser::ParseSymbols(const flatbuffers::Vector<int32_t>& table,
                                 PlanTensor* tensor) const {
  if (Size(&table) != tensor->type.shape.rank()) return false;
  for (const int32_t symbol : table)
    if (symbol != -1 && !IsSymbol(symbol)) return false;
  tensor->symbols = {reinterpret_cast<const int32_t*>(table.Data()), table.size()};
  return true;
}

Status ProgramParser::ParseExtents(const schema::Step& table, PlanStep* step) const {
  if (!kLinkedExtents) return {};  // there are no symbols
  if (Size(table.attr_extents()) > kMaxStepExtents || Size(table.sets()) > kMaxStepExtents)
    return Error("too many symbols");
  step->attr_extents = Structs(table.attr_extents());
  step->sets = Structs(table.sets());
  for (const schema::AttrExtent& extent : step->attr_extents)
    if (!IsSymbol(extent.symbol())) return Error("no such symbol");
  for (const schema::SetSymbol& set : step->sets)
    if (!IsSymbol(set.symbol()) || !symbols_[set.symbol()].is_free())
      return Error("sets a symbol that follows from others");
  return {};
}

Status ProgramParser::ParseIndices(const flatbuffers::Vector<int32_t>* vector,
                                   std::span<const int32_t>* out) const {
  const int64_t count = Size(vector);
  if (count > kMaxStepTensors) return Error("too many inputs or outputs");
  for (int64_t i = 0; i < count; ++i) {
    const int32_t tensor = vector->Get(static_cast<uint32_t>(i));
    if (tensor < 0 || tensor >= static_cast<int64_t>(program_.tensors.size()))
      return Error("no such tensor");
  }
  *out = {count == 0 ? nullptr : reinterpret_cast<const int32_t*>(vector->Data()),
          static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseRegions() {
  const int64_t count = Size(table_.regions());
  if (count == 0) return Error("want at least one", "regions", 0);
  int64_t num_steps = 0;
  for (const schema::Region* region : *table_.regions()) num_steps += Size(region->steps());
  auto* regions = region_.New<PlanRegion>(count);
  auto* steps = region_.New<PlanStep>(num_steps);
  if (regions == nullptr || steps == nullptr) return kNoMemoryToOpen;
  program_.regions = {regions, static_cast<size_t>(count)};
  program_.steps = {steps, static_cast<size_t>(num_steps)};
  for (int64_t i = 0, first = 0; i < count; first += regions[i++].count) {
    const schema::Region& table = *table_.regions()->Get(static_cast<uint32_t>(i));
    regions[i].first = static_cast<int32_t>(first);
    regions[i].count = static_cast<int32_t>(Size(table.steps()));
    LINNET_RETURN_IF_ERROR(ParseSteps(table, first, steps));
    if (i == 0) continue;
    if (Size(table.arguments()) != 0) return Error("has arguments", "region", i);
    At("step", first);
    LINNET_RETURN_IF_ERROR(ParseIndices(table.results(), &regions[i].results));
  }
  LINNET_RETURN_IF_ERROR(ParseSegments(steps));
  LINNET_RETURN_IF_ERROR(ParseStrips());
  return ParseUpdates(*table_.regions()->Get(0));
}

Status ProgramParser::ParseSegments(PlanStep* steps) {
  if (!kLinkedDevices) return {};  // all steps are the host's
  const auto end = static_cast<uint32_t>(program_.regions[0].count);
  uint32_t next = 0;
  for (int64_t i = 0; i < Size(table_.segments()); ++i) {
    At("segment", i);
    const schema::Segment& segment = *table_.segments()->Get(static_cast<uint32_t>(i));
    if (segment.first() != next || segment.count() == 0 || segment.count() > end - next)
      return Error("does not begin where the one before ends");
    if (segment.backend() >= program_.spaces.size()) return Error("no such space");
    for (uint32_t k = 0; k < segment.count(); ++k) steps[next++].space = segment.backend();
  }
  if (next != end && next != 0) return Error("do not contain all steps", "segments", next);
  return {};
}

Status ProgramParser::ParseStrips() {
  if (Size(table_.strips()) == 0) return {};
  if (!kLinkedStrips) return NotLinked("steps that run in strips", diagnostic_);
  program_.strips = Structs(table_.strips());
  const auto end = static_cast<uint32_t>(program_.regions[0].count);
  uint32_t next = 0;
  for (size_t i = 0; i < program_.strips.size(); ++i) {
    const schema::Strips& strips = program_.strips[i];
    if (strips.first() < next || strips.first() >= end || strips.count() == 0 ||
        strips.count() > end - strips.first())
      return Error("want steps of the program, behind those before", "strips",
                   static_cast<int64_t>(i));
    next = strips.first() + strips.count();
  }
  return {};
}

Status ProgramParser::ParseSteps(const schema::Region& region, int64_t first, PlanStep* steps) {
  for (int64_t k = 0; k < Size(region.steps()); ++k) {
    const int64_t i = first + k;
    At("step", i);
    const schema::Step& step = *region.steps()->Get(static_cast<uint32_t>(k));
    steps[i].op = static_cast<uint16_t>(step.op());
    if (step.attrs() != nullptr) steps[i].attrs = {step.attrs()->Data(), step.attrs()->size()};
    LINNET_RETURN_IF_ERROR(ParseName(step, &steps[i]));
    LINNET_RETURN_IF_ERROR(ParseIndices(step.inputs(), &steps[i].inputs));
    LINNET_RETURN_IF_ERROR(ParseIndices(step.outputs(), &steps[i].outputs));
    LINNET_RETURN_IF_ERROR(ParseControl(step, &steps[i]));
    LINNET_RETURN_IF_ERROR(ParseExtents(step, &steps[i]));
    if (step.scratch() >= static_cast<int64_t>(program_.buffers.size()))
      return Error("no such buffer");
    steps[i].scratch = std::max<int32_t>(step.scratch(), -1);
  }
  return {};
}

Status ProgramParser::ParseName(const schema::Step& step, PlanStep* out) const {
  if (Size(step.sources()) > 0) out->source = Text(step.sources()->Get(0));
  if (step.named_after() < 0) return {};
  const int64_t program = table_.named_after();
  if (program < 0 || program >= static_cast<int64_t>(earlier_.size()) ||
      step.named_after() >= static_cast<int64_t>(earlier_[program].steps.size()))
    return Error("is named after a step that does not exist");
  out->source = earlier_[program].steps[step.named_after()].source;
  return {};
}

Status ProgramParser::ParseControl(const schema::Step& step, PlanStep* out) const {
  if (step.control() > schema::Control::MAX) return Error("unknown control");
  if (!kLinkedControls && step.control() != schema::Control::None)
    return NotLinked("loops and branches", diagnostic_);
  const bool runs_others =
      step.control() == schema::Control::While || step.control() == schema::Control::If;
  const int64_t wanted = runs_others ? 2 : 0;
  if (Size(step.regions()) != wanted) return Error("wrong number of regions");
  for (int64_t k = 0; k < wanted; ++k) {
    const int32_t region = step.regions()->Get(static_cast<uint32_t>(k));
    if (region < 1 || region >= static_cast<int64_t>(program_.regions.size()))
      return Error("no such region");
  }
  out->control = step.control();
  if (wanted != 0)
    out->regions = {reinterpret_cast<const int32_t*>(step.regions()->Data()),
                    static_cast<size_t>(wanted)};
  return {};
}

Status ProgramParser::ParseUpdates(const schema::Region& region) {
  std::span<const int32_t> states, next;
  At("step", 0);
  LINNET_RETURN_IF_ERROR(ParseIndices(region.arguments(), &states));
  LINNET_RETURN_IF_ERROR(ParseIndices(region.results(), &next));
  if (states.size() != next.size()) return Error("want a result for each argument", "region", 0);
  if (states.empty()) return {};
  auto* updates = region_.New<PlanUpdate>(static_cast<int64_t>(states.size()));
  if (updates == nullptr) return kNoMemoryToOpen;
  for (size_t i = 0; i < states.size(); ++i) updates[i] = {states[i], next[i]};
  program_.updates = {updates, states.size()};
  return {};
}

Status ProgramParser::ParsePorts(
    const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>* vector, const char* kind,
    std::span<const PlanPort>* out) {
  const int64_t count = Size(vector);
  if (count == 0) return {};
  auto* ports = region_.New<PlanPort>(count);
  if (ports == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    At(kind, i);
    const schema::Port& port = *vector->Get(static_cast<uint32_t>(i));
    if (port.tensor() < 0 || port.tensor() >= static_cast<int64_t>(program_.tensors.size()))
      return Error("no such tensor");
    ports[i] = {Text(port.name()), Text(port.source()), port.tensor()};
  }
  *out = {ports, static_cast<size_t>(count)};
  return {};
}

Status ProgramParser::ParseSignature() {
  const schema::Signature* signature = table_.signature();
  if (signature == nullptr) return Error("missing", "signature", 0);
  program_.key = Text(signature->key());
  LINNET_RETURN_IF_ERROR(ParsePorts(signature->inputs(), "input", &program_.inputs));
  return ParsePorts(signature->outputs(), "output", &program_.outputs);
}

}  // namespace linnet
