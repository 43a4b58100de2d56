// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/raw_plan.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/core/encoding.h"
#include "runtime/plan/file_header.h"

namespace linnet {

int32_t RawPlan::Symbol(int64_t min, int64_t max, int64_t constant,
                        const std::vector<schema::Term>& terms) {
  const auto list = terms.empty() ? 0 : fbb.CreateVectorOfStructs(terms);
  symbols_.push_back(schema::CreateSymbol(fbb, fbb.CreateString("n"), max, min, constant, list));
  return static_cast<int32_t>(symbols_.size()) - 1;
}

int32_t RawPlan::Buffer(int64_t bytes) {
  buffers_.push_back(schema::CreateBuffer(fbb, 0, arena_, bytes));
  arena_ = AlignUp(arena_ + bytes, 64);
  return static_cast<int32_t>(buffers_.size()) - 1;
}

int32_t RawPlan::Weight(const std::vector<std::byte>& bytes, schema::Encoding encoding) {
  const schema::Affine affine(1.0, 0.0);
  const bool is_affine = IsAffine(encoding);
  weights_.push_back(schema::CreateWeight(fbb, weight_bytes_.size(), bytes.size(), encoding,
                                          is_affine ? &affine : nullptr));
  weight_bytes_.insert(weight_bytes_.end(), bytes.begin(), bytes.end());
  weight_bytes_.resize(
      static_cast<size_t>(AlignUp(static_cast<int64_t>(weight_bytes_.size()), 64)));
  return static_cast<int32_t>(weights_.size()) - 1;
}

int32_t RawPlan::Weight(const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  return Weight(std::vector<std::byte>(bytes, bytes + values.size() * sizeof(float)));
}

int32_t RawPlan::Add(const Tensor& tensor) {
  const auto shape =
      fbb.CreateVector(tensor.shape.begin(), static_cast<size_t>(tensor.shape.rank()));
  const auto symbols = tensor.symbols.empty() ? 0 : fbb.CreateVector(tensor.symbols);
  tensors_.push_back(schema::CreateTensor(fbb, static_cast<schema::DType>(tensor.dtype), shape,
                                          symbols, tensor.buffer, tensor.weight, tensor.state,
                                          tensor.offset));
  return static_cast<int32_t>(tensors_.size()) - 1;
}

int32_t RawPlan::Arena(const Shape& shape, std::vector<int32_t> symbols, DType dtype) {
  const int32_t buffer = Buffer(TensorType{dtype, shape}.bytes());
  return Add({.dtype = dtype, .shape = shape, .symbols = std::move(symbols), .buffer = buffer});
}

int32_t RawPlan::Input(const Shape& shape, std::vector<int32_t> symbols, DType dtype) {
  const int32_t tensor = Arena(shape, std::move(symbols), dtype);
  Port(tensor, /*is_output=*/false);
  return tensor;
}

int32_t RawPlan::Constant(const Shape& shape, float value) {
  const int32_t weight =
      Weight(std::vector<float>(static_cast<size_t>(shape.num_elements()), value));
  return Add({.shape = shape, .weight = weight});
}

void RawPlan::Port(int32_t tensor, bool is_output) {
  auto& ports = is_output ? outputs_ : inputs_;
  const auto name = fbb.CreateString((is_output ? "out" : "in") + std::to_string(ports.size()));
  ports.push_back(schema::CreatePort(fbb, name, 0, tensor));
}

void RawPlan::AddStep(OpKind kind, const std::vector<uint8_t>& attrs,
                      const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs,
                      const StepSymbols& symbols) {
  const auto attr_list = fbb.CreateVector(attrs);
  const auto input_list = fbb.CreateVector(inputs), output_list = fbb.CreateVector(outputs);
  const auto extents = symbols.extents.empty() ? 0 : fbb.CreateVectorOfStructs(symbols.extents);
  const auto sets = symbols.sets.empty() ? 0 : fbb.CreateVectorOfStructs(symbols.sets);
  steps_.push_back(schema::CreateStep(fbb, static_cast<schema::OpKind>(kind), attr_list, input_list,
                                      output_list, 0, schema::Control::None, 0, extents, sets,
                                      /*named_after=*/-1, symbols.scratch.value_or(-1)));
}

std::vector<std::byte> RawPlan::Finish(size_t times) {
  const auto inputs = fbb.CreateVector(inputs_), outputs = fbb.CreateVector(outputs_);
  const auto signature = schema::CreateSignature(fbb, fbb.CreateString("run"), inputs, outputs);
  const auto regions =
      fbb.CreateVector(std::vector{schema::CreateRegion(fbb, 0, 0, fbb.CreateVector(steps_))});
  const auto spaces = fbb.CreateVector(std::vector{schema::CreateSpace(fbb, 0, arena_, 64)});
  const auto tensors = fbb.CreateVector(tensors_);
  const auto buffers = fbb.CreateVector(buffers_);
  const auto strips = strips_.empty() ? 0 : fbb.CreateVectorOfStructs(strips_);
  const auto program = schema::CreateProgram(fbb, signature, 0, 0, tensors, buffers, regions, 0,
                                             spaces, /*named_after=*/-1, strips);
  const auto programs = fbb.CreateVector(std::vector(times, program));
  const auto weights = fbb.CreateVector(weights_);
  const auto symbols = fbb.CreateVector(symbols_);
  schema::FinishPlanBuffer(fbb, schema::CreatePlan(fbb, 0, 0, weights, 0, symbols, programs));
  return PlanFileOf(fbb, weight_bytes_);
}

std::vector<std::byte> PlanFileOf(const flatbuffers::FlatBufferBuilder& structure,
                                  const std::vector<std::byte>& weights) {
  const auto weight_bytes = static_cast<int64_t>(weights.size()) + kWeightTail;
  const FileHeader header = LayOutFile(structure.GetSize(), weight_bytes, kWeightAlignment);
  std::vector<std::byte> file(header.file_bytes);
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + header.structure_offset, structure.GetBufferPointer(),
              structure.GetSize());
  std::ranges::copy(weights, file.begin() + header.weights_offset);
  return file;
}

std::vector<std::byte> ChangedPlan(const std::vector<std::byte>& file,
                                   const std::function<void(schema::PlanT&)>& change) {
  FileHeader header;
  std::memcpy(&header, file.data(), sizeof(header));
  const std::unique_ptr<schema::PlanT> plan(
      schema::GetPlan(file.data() + header.structure_offset)->UnPack());
  change(*plan);
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishPlanBuffer(builder, schema::Plan::Pack(builder, plan.get()));
  return PlanFileOf(builder, {});
}

}  // namespace linnet
