// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/plan_view.h"

#include <cstring>
#include <string_view>

#include "flatbuffers/flatbuffers.h"
#include "runtime/core/unaligned.h"

namespace linnet {
namespace {

constexpr int64_t kMaxStepTensors = 1 << 12;
constexpr int64_t kMaxStepExtents = 64;  // an op has fewer attributes
constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory while opening the plan"};

Status Bad(Diagnostic* diagnostic, const char* what, int64_t program, const char* kind,
           int64_t index) {
  if (diagnostic != nullptr)
    diagnostic->Format("program %lld, %s %lld: %s", static_cast<long long>(program), kind,
                       static_cast<long long>(index), what);
  return {StatusCode::kInvalidPlan, what};
}

// FlatBuffers leaves absent vectors and strings null.
template <typename Vector>
int64_t Size(const Vector* vector) {
  return vector == nullptr ? 0 : static_cast<int64_t>(vector->size());
}
const char* Text(const flatbuffers::String* string) {
  return string == nullptr ? "" : string->c_str();
}

// A list of structs as it lies in the file.
template <typename Struct>
std::span<const Struct> Structs(const flatbuffers::Vector<const Struct*>* vector) {
  if (vector == nullptr) return {};
  return {reinterpret_cast<const Struct*>(vector->Data()), vector->size()};
}

bool IsDType(schema::DType dtype) {
  return dtype != schema::DType::Invalid && DTypeBytes(static_cast<DType>(dtype)) != 0;
}

// dtype and shape of a tensor or a state, whose dtype and rank have been checked. False when it has
// too many elements.
template <typename Table>
bool ReadType(const Table& table, TensorType* type, int64_t* bytes) {
  type->dtype = static_cast<DType>(table.dtype());
  // FlatBuffers' verifier aligns the length of a list, not its elements.
  for (int64_t d = 0; d < Size(table.shape()); ++d)
    type->shape.Append(LoadElement<int64_t>(table.shape()->Data(), d));
  return type->shape.NumElementsChecked(bytes) &&
         CheckedMul(*bytes, DTypeBytes(type->dtype), bytes);
}

// Turns one program's tables into arrays. Holds what every step of that needs.
class ProgramParser {
 public:
  ProgramParser(const schema::Program& table, int64_t index, const PlanView& view, Region& region,
                Diagnostic* diagnostic)
      : table_(table),
        index_(index),
        weights_(view.weights),
        states_(view.states),
        symbols_(view.symbols),
        region_(region),
        diagnostic_(diagnostic) {}

  Status Parse(PlanProgram* program) {
    LINNET_RETURN_IF_ERROR(CheckFeatures());
    LINNET_RETURN_IF_ERROR(ParseSpaces(program));
    LINNET_RETURN_IF_ERROR(ParseBuffers(program));
    LINNET_RETURN_IF_ERROR(ParseTensors(program));
    LINNET_RETURN_IF_ERROR(ParseRegions(program));
    return ParseSignature(program);
  }

 private:
  Status Error(const char* what, const char* kind, int64_t item) const {
    return Bad(diagnostic_, what, index_, kind, item);
  }

  Status CheckFeatures() const {
    for (int64_t i = 0; i < Size(table_.required_features()); ++i) {
      const flatbuffers::String& name = *table_.required_features()->Get(static_cast<uint32_t>(i));
      const std::string_view feature(name.c_str(), name.size());
      if (feature == kRegionsFeature || feature == kSegmentsFeature) continue;
      if (diagnostic_ != nullptr)
        diagnostic_->Format("program %lld needs the feature '%s', which this build does not have",
                            static_cast<long long>(index_), name.c_str());
      return {StatusCode::kUnsupported, "the plan needs a feature that this build does not have"};
    }
    return {};
  }

  Status ParseSpaces(PlanProgram* program) {
    const int64_t count = Size(table_.spaces());
    if (count < 1 || count > kMaxSpaces)
      return Error("want the host's arena, and few others", "spaces", count);
    auto* spaces = region_.New<PlanSpace>(count);
    if (spaces == nullptr) return kNoMemory;
    for (int64_t i = 0; i < count; ++i) {
      const schema::Space& space = *table_.spaces()->Get(static_cast<uint32_t>(i));
      if (space.size() < 0 || space.size() > kMaxSpaceBytes || space.kind() != (i > 0) ||
          (*Text(space.device()) != '\0') != (i > 0))
        return Error("want the host's arena, then devices' memory, of a size in range", "space", i);
      spaces[i] = {Text(space.device()), space.size(), space.lower_bound(), space.naive(),
                   space.imported_bound()};
    }
    program->spaces = {spaces, static_cast<size_t>(count)};
    return {};
  }

  Status ParseBuffers(PlanProgram* program) {
    const int64_t count = Size(table_.buffers());
    auto* buffers = region_.New<PlanBuffer>(count);
    if (buffers == nullptr) return kNoMemory;
    for (int64_t i = 0; i < count; ++i) {
      const schema::Buffer& buffer = *table_.buffers()->Get(static_cast<uint32_t>(i));
      if (buffer.space() >= program->spaces.size() || buffer.offset() < 0 || buffer.size() < 0 ||
          !Inside(buffer.offset(), buffer.size(), program->spaces[buffer.space()].bytes) ||
          buffer.offset() % kHostAlignment != 0)
        return Error("lies outside its space or is not 64-byte aligned", "buffer", i);
      buffers[i] = {buffer.offset(), buffer.size(), buffer.space()};
    }
    program->buffers = {buffers, static_cast<size_t>(count)};
    return {};
  }

  Status ParseTensors(PlanProgram* program) {
    const int64_t count = Size(table_.tensors());
    auto* tensors = region_.New<PlanTensor>(count);
    if (tensors == nullptr) return kNoMemory;
    for (int64_t i = 0; i < count; ++i)
      LINNET_RETURN_IF_ERROR(
          ParseTensor(*table_.tensors()->Get(static_cast<uint32_t>(i)), i, *program, &tensors[i]));
    program->tensors = {tensors, static_cast<size_t>(count)};
    return {};
  }

  Status ParseTensor(const schema::Tensor& table, int64_t i, const PlanProgram& program,
                     PlanTensor* tensor) {
    if (!IsDType(table.dtype())) return Error("unknown dtype", "tensor", i);
    if (Size(table.shape()) > kMaxRank) return Error("rank above 8", "tensor", i);
    if (table.row_pitch() != 0)
      return Error("row pitches are not supported by this build", "tensor", i);
    int64_t bytes;
    if (!ReadType(table, &tensor->type, &bytes))
      return Error("negative dimension or too many elements", "tensor", i);
    if (Size(table.symbols()) != 0 && !ParseSymbols(*table.symbols(), tensor))
      return Error("want one symbol or -1 per dimension", "tensor", i);
    if (tensor->varies() && table.buffer() < 0)
      return Error("only tensors in the arena can vary", "tensor", i);
    const int64_t element = DTypeBytes(tensor->type.dtype);
    if ((table.buffer() >= 0) + (table.weight() >= 0) + (table.state() >= 0) != 1)
      return Error("want exactly one of buffer, weight and state", "tensor", i);
    if (table.state() >= 0) {
      if (table.state() >= static_cast<int64_t>(states_.size()))
        return Error("no such state", "tensor", i);
      if (tensor->type != states_[table.state()].type)
        return Error("its type is not the state's", "tensor", i);
      tensor->storage = Storage::kState;
      tensor->index = table.state();
      return {};
    }
    if (table.buffer() >= 0) {
      if (table.buffer() >= static_cast<int64_t>(program.buffers.size()))
        return Error("no such buffer", "tensor", i);
      const PlanBuffer& buffer = program.buffers[table.buffer()];
      if (table.offset() < 0 || !Inside(table.offset(), bytes, buffer.bytes) ||
          table.offset() % element != 0)
        return Error("lies outside its buffer or is not aligned", "tensor", i);
      tensor->storage = Storage::kArena;
      tensor->index = table.buffer();
      tensor->offset = buffer.offset + table.offset();
      tensor->space = buffer.space;
      return {};
    }
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

  bool IsSymbol(int64_t index) const {
    return index >= 0 && index < static_cast<int64_t>(symbols_.size());
  }

  bool ParseSymbols(const flatbuffers::Vector<int32_t>& table, PlanTensor* tensor) const {
    if (Size(&table) != tensor->type.shape.rank()) return false;
    for (const int32_t symbol : table)
      if (symbol != -1 && !IsSymbol(symbol)) return false;
    tensor->symbols = {reinterpret_cast<const int32_t*>(table.Data()), table.size()};
    return true;
  }

  Status ParseExtents(const schema::Step& table, int64_t i, PlanStep* step) const {
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

  // Copies a vector of tensor indices, checking each.
  Status ParseIndices(const flatbuffers::Vector<int32_t>* vector, const PlanProgram& program,
                      int64_t step, std::span<const int32_t>* out) {
    const int64_t count = Size(vector);
    // FlatBuffers may share vectors, so without a cap many steps over one long list go quadratic.
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

  Status ParseRegions(PlanProgram* program) {
    const int64_t count = Size(table_.regions());
    if (count == 0) return Error("want at least one", "regions", 0);
    int64_t num_steps = 0;
    for (const schema::Region* region : *table_.regions()) num_steps += Size(region->steps());
    auto* regions = region_.New<PlanRegion>(count);
    auto* steps = region_.New<PlanStep>(num_steps);
    if (regions == nullptr || steps == nullptr) return kNoMemory;
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

  // Each begins where the one before ends, and the last ends where the program's steps do.
  Status ParseSegments(const PlanProgram& program, PlanStep* steps) const {
    const auto end = static_cast<uint32_t>(program.regions[0].count);
    uint32_t next = 0;
    for (int64_t i = 0; i < Size(table_.segments()); ++i) {
      const schema::Segment& segment = *table_.segments()->Get(static_cast<uint32_t>(i));
      if (segment.first() != next || segment.count() == 0 || segment.count() > end - next)
        return Error("does not go on where the one before ends", "segment", i);
      if (segment.backend() >= program.spaces.size()) return Error("no such space", "segment", i);
      for (uint32_t k = 0; k < segment.count(); ++k) steps[next++].space = segment.backend();
    }
    if (next != end && next != 0) return Error("want all steps", "segments", next);
    return {};
  }

  // Those of one region: steps[first] and behind it.
  Status ParseSteps(const schema::Region& region, const PlanProgram& program, int64_t first,
                    PlanStep* steps) {
    for (int64_t k = 0; k < Size(region.steps()); ++k) {
      const int64_t i = first + k;
      const schema::Step& step = *region.steps()->Get(static_cast<uint32_t>(k));
      steps[i].op = static_cast<uint16_t>(step.op());
      if (step.attrs() != nullptr) steps[i].attrs = {step.attrs()->Data(), step.attrs()->size()};
      if (Size(step.sources()) > 0) steps[i].source = Text(step.sources()->Get(0));
      LINNET_RETURN_IF_ERROR(ParseIndices(step.inputs(), program, i, &steps[i].inputs));
      LINNET_RETURN_IF_ERROR(ParseIndices(step.outputs(), program, i, &steps[i].outputs));
      LINNET_RETURN_IF_ERROR(ParseControl(step, program, i, &steps[i]));
      LINNET_RETURN_IF_ERROR(ParseExtents(step, i, &steps[i]));
    }
    return {};
  }

  Status ParseControl(const schema::Step& step, const PlanProgram& program, int64_t i,
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

  // Region 0 gives back in `results` what its `arguments`, all states, hold in the next run.
  Status ParseUpdates(const schema::Region& region, PlanProgram* program) {
    std::span<const int32_t> states, next;
    LINNET_RETURN_IF_ERROR(ParseIndices(region.arguments(), *program, 0, &states));
    LINNET_RETURN_IF_ERROR(ParseIndices(region.results(), *program, 0, &next));
    if (states.size() != next.size()) return Error("want a result for each argument", "region", 0);
    auto* updates = region_.New<PlanUpdate>(static_cast<int64_t>(states.size()));
    if (updates == nullptr) return kNoMemory;
    for (size_t i = 0; i < states.size(); ++i) updates[i] = {states[i], next[i]};
    program->updates = {updates, states.size()};
    return {};
  }

  Status ParsePorts(const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>* vector,
                    const PlanProgram& program, const char* kind, std::span<const PlanPort>* out) {
    const int64_t count = Size(vector);
    auto* ports = region_.New<PlanPort>(count);
    if (ports == nullptr) return kNoMemory;
    for (int64_t i = 0; i < count; ++i) {
      const schema::Port& port = *vector->Get(static_cast<uint32_t>(i));
      if (port.tensor() < 0 || port.tensor() >= static_cast<int64_t>(program.tensors.size()))
        return Error("no such tensor", kind, i);
      ports[i] = {Text(port.name()), Text(port.source()), port.tensor()};
    }
    *out = {ports, static_cast<size_t>(count)};
    return {};
  }

  Status ParseSignature(PlanProgram* program) {
    const schema::Signature* signature = table_.signature();
    if (signature == nullptr) return Error("missing", "signature", 0);
    program->key = Text(signature->key());
    LINNET_RETURN_IF_ERROR(ParsePorts(signature->inputs(), *program, "input", &program->inputs));
    return ParsePorts(signature->outputs(), *program, "output", &program->outputs);
  }

  const schema::Program& table_;
  int64_t index_;
  std::span<const PlanWeight> weights_;
  std::span<const PlanState> states_;
  std::span<const PlanSymbol> symbols_;
  Region& region_;
  Diagnostic* diagnostic_;
};

Status ParseWeights(const schema::Plan& plan, const FileHeader& header, Region& region,
                    std::span<const PlanWeight>* out, Diagnostic* diagnostic) {
  const int64_t count = Size(plan.weights());
  auto* weights = region.New<PlanWeight>(count);
  if (weights == nullptr) return kNoMemory;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Weight& weight = *plan.weights()->Get(static_cast<uint32_t>(i));
    // The tail lets kernels read past the end of every weight (see XNN_EXTRA_BYTES).
    if (!Inside(weight.offset(), weight.size(), header.weights_bytes) ||
        header.weights_bytes - weight.offset() - weight.size() < kWeightTail ||
        weight.offset() % kWeightAlignment != 0)
      return Bad(diagnostic, "lies outside the file or is not 64-byte aligned", 0, "weight", i);
    if (weight.encoding() > schema::Encoding::MAX)
      return Bad(diagnostic, "unknown encoding", 0, "weight", i);
    const bool affine = weight.encoding() == schema::Encoding::AffineU8 ||
                        weight.encoding() == schema::Encoding::AffineU16;
    if (affine != (weight.affine() != nullptr))
      return Bad(diagnostic, "scale and minimum belong to affine encodings", 0, "weight", i);
    weights[i] = {static_cast<int64_t>(header.weights_offset + weight.offset()),
                  static_cast<int64_t>(weight.size()), weight.encoding(),
                  affine ? weight.affine()->scale() : 0.0, affine ? weight.affine()->min() : 0.0};
  }
  *out = {weights, static_cast<size_t>(count)};
  return {};
}

Status ParseStates(const schema::Plan& plan, std::span<const PlanWeight> weights, Region& region,
                   std::span<const PlanState>* out, Diagnostic* diagnostic) {
  const int64_t count = Size(plan.states());
  auto* states = region.New<PlanState>(count);
  if (states == nullptr) return kNoMemory;
  for (int64_t i = 0; i < count; ++i) {
    const schema::State& table = *plan.states()->Get(static_cast<uint32_t>(i));
    PlanState& state = states[i];
    int64_t bytes = 0;
    if (!IsDType(table.dtype()) || Size(table.shape()) > kMaxRank ||
        !ReadType(table, &state.type, &bytes) || bytes > kMaxSpaceBytes)
      return Bad(diagnostic, "unknown dtype, rank above 8 or too many elements", 0, "state", i);
    state.name = Text(table.name());
    state.initial = table.initial();
    if (state.initial < -1 || state.initial >= static_cast<int64_t>(weights.size()))
      return Bad(diagnostic, "no such weight", 0, "state", i);
    if (state.initial < 0) continue;
    const PlanWeight& weight = weights[state.initial];
    if ((weight.encoding != schema::Encoding::Plain && state.type.dtype != DType::kFloat32) ||
        weight.bytes != EncodedBytes(state.type, weight.encoding))
      return Bad(diagnostic, "its initial value has another type", 0, "state", i);
  }
  *out = {states, static_cast<size_t>(count)};
  return {};
}

// Copied, as their 8-byte fields may lie anywhere.
Status ParseTerms(const schema::Symbol& table, Region& region, std::span<const PlanTerm>* out) {
  const int64_t count = Size(table.terms());
  auto* terms = region.New<PlanTerm>(count);
  if (terms == nullptr) return kNoMemory;
  for (int64_t i = 0; i < count; ++i) {
    schema::Term term;
    std::memcpy(&term, table.terms()->Data() + i * static_cast<int64_t>(sizeof(term)),
                sizeof(term));
    terms[i] = {term.symbol(), term.factor()};
  }
  *out = {terms, static_cast<size_t>(count)};
  return {};
}

Status ParseSymbols(const schema::Plan& plan, Region& region, std::span<const PlanSymbol>* out,
                    Diagnostic* diagnostic) {
  const int64_t count = Size(plan.symbols());
  auto* symbols = region.New<PlanSymbol>(count);
  if (symbols == nullptr) return kNoMemory;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Symbol& table = *plan.symbols()->Get(static_cast<uint32_t>(i));
    symbols[i] = {Text(table.name()), table.min(), table.max(), table.constant(), {}};
    if (table.min() < -kMaxSpaceBytes || table.min() > table.max() ||
        table.max() > kMaxSpaceBytes || Size(table.terms()) > static_cast<int64_t>(kMaxSymbolTerms))
      return Bad(diagnostic, "its bounds are out of range", 0, "symbol", i);
    LINNET_RETURN_IF_ERROR(ParseTerms(table, region, &symbols[i].terms));
  }
  for (int64_t i = 0; i < count; ++i)
    for (const PlanTerm& term : symbols[i].terms)
      if (term.symbol < 0 || term.symbol >= count || !symbols[term.symbol].is_free())
        return Bad(diagnostic, "follows from a symbol that does not exist or is not free", 0,
                   "symbol", i);
  *out = {symbols, static_cast<size_t>(count)};
  return {};
}

}  // namespace

int64_t EncodedBytes(const TensorType& type, schema::Encoding encoding) {
  const int64_t elements = type.shape.num_elements();
  switch (encoding) {
    case schema::Encoding::Float16:
    case schema::Encoding::AffineU16:
      return elements * 2;
    case schema::Encoding::AffineU8:
      return elements;
    case schema::Encoding::Plain:
      break;
  }
  return elements * DTypeBytes(type.dtype);
}

Status ParsePlan(const FileHeader& header, std::span<const std::byte> structure, Region& region,
                 PlanView* view, Diagnostic* diagnostic) {
  auto* copy = static_cast<uint8_t*>(region.Allocate(static_cast<int64_t>(structure.size())));
  if (copy == nullptr) return kNoMemory;
  if (!structure.empty()) std::memcpy(copy, structure.data(), structure.size());
  // A table may be reached through several offsets; the cap keeps that linear in the size.
  flatbuffers::Verifier verifier(copy, structure.size(), /*max_depth=*/16,
                                 /*max_tables=*/static_cast<uint32_t>(structure.size() / 4 + 16));
  if (!schema::VerifyPlanBuffer(verifier))
    return {StatusCode::kInvalidPlan, "the plan's structure is damaged"};
  const schema::Plan& plan = *schema::GetPlan(copy);
  if (Size(plan.required_features()) != 0)
    return {StatusCode::kUnsupported, "the plan needs a feature that this build does not have"};

  PlanView parsed;
  parsed.header = header;
  parsed.producer = Text(plan.producer());
  LINNET_RETURN_IF_ERROR(ParseWeights(plan, header, region, &parsed.weights, diagnostic));
  LINNET_RETURN_IF_ERROR(ParseStates(plan, parsed.weights, region, &parsed.states, diagnostic));
  LINNET_RETURN_IF_ERROR(ParseSymbols(plan, region, &parsed.symbols, diagnostic));
  const int64_t count = Size(plan.programs());
  if (count == 0) return {StatusCode::kInvalidPlan, "the plan holds no program"};
  auto* programs = region.New<PlanProgram>(count);
  if (programs == nullptr) return kNoMemory;
  for (int64_t i = 0; i < count; ++i) {
    ProgramParser parser(*plan.programs()->Get(static_cast<uint32_t>(i)), i, parsed, region,
                         diagnostic);
    LINNET_RETURN_IF_ERROR(parser.Parse(&programs[i]));
  }
  parsed.programs = {programs, static_cast<size_t>(count)};
  *view = parsed;
  return {};
}

}  // namespace linnet
