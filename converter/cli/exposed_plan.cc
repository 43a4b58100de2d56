// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/exposed_plan.h"

#include <algorithm>
#include <cstring>

#include "converter/cli/plan_file.h"
#include "flatbuffers/flatbuffers.h"
#include "fmt/format.h"
#include "runtime/core/checked.h"
#include "runtime/ops/op_def.h"
#include "runtime/plan/file_header.h"
#include "schema/plan_generated.h"

namespace linnet::cli {
namespace {

template <typename T>
using Offsets = std::vector<flatbuffers::Offset<T>>;

constexpr int64_t kSlot = 64;  // the host's alignment

// Writes the structure of the plan anew. The file has been checked.
class Exposer {
 public:
  Exposer(const schema::Plan& plan, const schema::Program& program)
      : plan_(plan), program_(program) {}

  std::span<const uint8_t> Build() {
    const auto weights = Weights();
    const auto states = States();
    const auto symbols = Symbols();
    const auto program = Program();
    const auto programs = fbb_.CreateVector(std::vector{program});
    const auto producer = fbb_.CreateString("linnet bisect");
    schema::PlanBuilder plan(fbb_);
    plan.add_producer(producer);
    plan.add_weights(weights);
    plan.add_states(states);
    plan.add_symbols(symbols);
    plan.add_programs(programs);
    schema::FinishPlanBuffer(fbb_, plan.Finish());
    return {fbb_.GetBufferPointer(), fbb_.GetSize()};
  }

  const std::vector<ExposedTensor>& tensors() const { return tensors_; }

 private:
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<schema::Weight>>> Weights() {
    Offsets<schema::Weight> weights;
    if (plan_.weights() != nullptr)
      for (const schema::Weight* weight : *plan_.weights())
        weights.push_back(schema::CreateWeight(fbb_, weight->offset(), weight->size(),
                                               weight->encoding(), weight->affine()));
    return fbb_.CreateVector(weights);
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<schema::State>>> States() {
    Offsets<schema::State> states;
    if (plan_.states() != nullptr)
      for (const schema::State* state : *plan_.states()) {
        const auto name = fbb_.CreateString(Text(state->name()));
        const auto shape = fbb_.CreateVector(Dims(state->shape()));
        states.push_back(schema::CreateState(fbb_, name, state->dtype(), shape, state->initial()));
      }
    return fbb_.CreateVector(states);
  }

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<schema::Symbol>>> Symbols() {
    Offsets<schema::Symbol> symbols;
    if (plan_.symbols() != nullptr)
      for (const schema::Symbol* symbol : *plan_.symbols()) {
        const auto name = fbb_.CreateString(Text(symbol->name()));
        const auto terms = fbb_.CreateVectorOfStructs(Structs(symbol->terms()));
        symbols.push_back(schema::CreateSymbol(fbb_, name, symbol->max(), symbol->min(),
                                               symbol->constant(), terms));
      }
    return fbb_.CreateVector(symbols);
  }

  // Each tensor in a buffer of its own.
  flatbuffers::Offset<schema::Tensor> Tensor(const schema::Tensor& tensor) {
    const std::vector<int64_t> dims = Dims(tensor.shape());
    int buffer = -1;
    if (tensor.buffer() >= 0) {
      const TensorType type{static_cast<DType>(tensor.dtype()), Shape(dims)};
      buffer = static_cast<int>(buffers_.size());
      const int64_t bytes = AlignUp(std::max<int64_t>(type.bytes(), 1), kSlot);
      buffers_.push_back(schema::CreateBuffer(fbb_, 0, arena_bytes_, bytes));
      arena_bytes_ += bytes;
    }
    const auto shape = fbb_.CreateVector(dims);
    const auto symbols = fbb_.CreateVector(Numbers(tensor.symbols()));
    schema::TensorBuilder table(fbb_);
    table.add_symbols(symbols);
    table.add_dtype(tensor.dtype());
    table.add_shape(shape);
    table.add_buffer(buffer);
    table.add_weight(tensor.weight());
    table.add_state(tensor.state());
    return table.Finish();
  }

  flatbuffers::Offset<schema::Step> Step(const schema::Step& step) {
    flatbuffers::Offset<flatbuffers::Vector<uint8_t>> attrs;
    if (step.attrs() != nullptr) {
      const std::vector<uint8_t> bytes(step.attrs()->begin(), step.attrs()->end());
      fbb_.ForceVectorAlignment(bytes.size(), 1, 8);
      attrs = fbb_.CreateVector(bytes);
    }
    const auto inputs = fbb_.CreateVector(Numbers(step.inputs()));
    const auto outputs = fbb_.CreateVector(Numbers(step.outputs()));
    const auto sources = fbb_.CreateVectorOfStrings(Names(step.sources()));
    const auto regions = fbb_.CreateVector(Numbers(step.regions()));
    const auto attr_extents = fbb_.CreateVectorOfStructs(Structs(step.attr_extents()));
    const auto sets = fbb_.CreateVectorOfStructs(Structs(step.sets()));
    return schema::CreateStep(fbb_, step.op(), attrs, inputs, outputs, sources, step.control(),
                              regions, attr_extents, sets);
  }

  flatbuffers::Offset<schema::Region> Region(const schema::Region& region) {
    Offsets<schema::Step> steps;
    if (region.steps() != nullptr)
      for (const schema::Step* step : *region.steps()) steps.push_back(Step(*step));
    const std::vector<int32_t> arguments = Numbers(region.arguments());
    const std::vector<int32_t> results = Numbers(region.results());
    return schema::CreateRegionDirect(fbb_, &arguments, &results, &steps);
  }

  static std::string OpName(const schema::Step& step) {
    if (step.control() != schema::Control::None) return schema::EnumNameControl(step.control());
    return FindOp(static_cast<OpKind>(step.op()))->name;
  }

  flatbuffers::Offset<schema::Port> Port(const char* name, const char* source, int tensor) {
    return schema::CreatePortDirect(fbb_, name, source, tensor);
  }

  flatbuffers::Offset<schema::Program> Program() {
    Offsets<schema::Tensor> tensors;
    for (const schema::Tensor* tensor : *program_.tensors()) tensors.push_back(Tensor(*tensor));
    Offsets<schema::Port> inputs, outputs;
    for (const schema::Port* port : *program_.signature()->inputs())
      inputs.push_back(Port(Text(port->name()), Text(port->source()), port->tensor()));
    const auto* regions = program_.regions();
    const auto* plan_steps = regions->Get(0)->steps();
    for (uint32_t i = 0; plan_steps != nullptr && i < plan_steps->size(); ++i) {
      const schema::Step& step = *plan_steps->Get(i);
      const std::vector<int32_t> written = Numbers(step.outputs());
      for (size_t k = 0; k < written.size(); ++k) {
        outputs.push_back(Port(fmt::format("{}:{}", i, k).c_str(), "", written[k]));
        tensors_.push_back({static_cast<int32_t>(i), static_cast<int32_t>(k), OpName(step),
                            Names(step.sources()), OutputName(written[k])});
      }
    }
    Offsets<schema::Region> all_regions;
    for (const schema::Region* region : *regions) all_regions.push_back(Region(*region));
    const auto signature =
        schema::CreateSignatureDirect(fbb_, Text(program_.signature()->key()), &inputs, &outputs);
    const auto space = schema::CreateSpace(fbb_, 0, arena_bytes_, kSlot, 0, 0, 0);
    const auto tensor_tables = fbb_.CreateVector(tensors);
    const auto buffers = fbb_.CreateVector(buffers_);
    const auto region_tables = fbb_.CreateVector(all_regions);
    const auto features = fbb_.CreateVectorOfStrings(Names(program_.required_features()));
    const auto spaces = fbb_.CreateVector(std::vector{space});
    const auto variant = fbb_.CreateString("host");
    schema::ProgramBuilder table(fbb_);
    table.add_signature(signature);
    table.add_variant(variant);
    table.add_required_features(features);
    table.add_tensors(tensor_tables);
    table.add_buffers(buffers);
    table.add_regions(region_tables);
    table.add_spaces(spaces);
    return table.Finish();
  }

  std::string OutputName(int tensor) const {
    for (const schema::Port* port : *program_.signature()->outputs())
      if (port->tensor() == tensor) return Text(port->name());
    return "";
  }

  static const char* Text(const flatbuffers::String* text) {
    return text == nullptr ? "" : text->c_str();
  }
  static std::vector<int64_t> Dims(const flatbuffers::Vector<int64_t>* dims) {
    if (dims == nullptr) return {};
    return {dims->begin(), dims->end()};
  }
  template <typename Struct>
  static std::vector<Struct> Structs(const flatbuffers::Vector<const Struct*>* structs) {
    std::vector<Struct> all;
    if (structs != nullptr)
      for (const Struct* one : *structs) all.push_back(*one);
    return all;
  }
  static std::vector<int32_t> Numbers(const flatbuffers::Vector<int32_t>* numbers) {
    if (numbers == nullptr) return {};
    return {numbers->begin(), numbers->end()};
  }
  static std::vector<std::string> Names(
      const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* names) {
    std::vector<std::string> all;
    if (names != nullptr)
      for (const flatbuffers::String* name : *names) all.push_back(name->str());
    return all;
  }

  const schema::Plan& plan_;
  const schema::Program& program_;
  flatbuffers::FlatBufferBuilder fbb_{64 * 1024};
  Offsets<schema::Buffer> buffers_;
  int64_t arena_bytes_ = 0;
  std::vector<ExposedTensor> tensors_;
};

// A file of this structure and the weights of another.
std::string Assemble(std::span<const uint8_t> structure, std::span<const std::byte> weights) {
  const FileHeader header =
      LayOutFile(std::ssize(structure), std::ssize(weights), kWeightAlignment);
  std::string file(header.file_bytes, '\0');
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + header.structure_offset, structure.data(), structure.size());
  if (!weights.empty())
    std::memcpy(file.data() + header.weights_offset, weights.data(), weights.size());
  return file;
}

}  // namespace

absl::StatusOr<ExposedPlan> ExposeTensors(std::span<const std::byte> file,
                                          const std::string& signature) {
  Region region;
  VerifiedPlan verified;
  if (const absl::Status status = OpenPlanFile(file, &region, &verified); !status.ok())
    return status;
  const FileHeader& header = verified.view.header;
  // FlatBuffers wants the alignment that it had when written.
  std::vector<uint64_t> aligned((header.structure_bytes + 7) / 8);
  std::memcpy(aligned.data(), file.data() + header.structure_offset, header.structure_bytes);
  const schema::Plan& plan = *schema::GetPlan(aligned.data());
  for (const schema::Program* program : *plan.programs()) {
    if (!signature.empty() && program->signature()->key()->str() != signature) continue;
    if (program->segments() != nullptr)
      return absl::UnimplementedError(
          "tensors of other devices than the CPU cannot be looked at: convert with --place cpu");
    Exposer exposer(plan, *program);
    const std::span<const uint8_t> structure = exposer.Build();
    return ExposedPlan{
        Assemble(structure, file.subspan(header.weights_offset, header.weights_bytes)),
        exposer.tensors()};
  }
  return absl::NotFoundError(fmt::format("the plan has no signature '{}'", signature));
}

}  // namespace linnet::cli
