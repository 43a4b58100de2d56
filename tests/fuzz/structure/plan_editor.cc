// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/plan_editor.h"

#include <cstring>

#include "runtime/core/checked.h"
#include "runtime/core/dtype.h"
#include "runtime/core/encoding.h"
#include "runtime/core/half.h"
#include "runtime/plan/file_header.h"

namespace linnet::fuzz {
namespace {

int64_t ElementsOf(const Type& type) {
  int64_t elements = 1;
  for (const int64_t dim : type.shape)
    elements = SaturatingMul(elements, std::max<int64_t>(dim, 0));
  return elements;
}

template <typename T>
void Put(T value, std::vector<uint8_t>& bytes) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(value));
}

void PutElement(schema::DType dtype, bool calm, Random& random, std::vector<uint8_t>& bytes) {
  const double real = calm ? static_cast<double>(random.Below(4000)) / 1000 - 2 : random.Real();
  const int64_t number = random.OneIn(8) ? random.Number() : static_cast<int64_t>(random.Below(4));
  switch (dtype) {
    case schema::DType::Float32:
      return Put(static_cast<float>(real), bytes);
    case schema::DType::Float64:
      return Put(real, bytes);
    case schema::DType::Float16:
      return Put(
          static_cast<uint16_t>(random.OneIn(16) ? random.Next() : 0x3800 + random.Below(1024)),
          bytes);
    case schema::DType::Bool:
      return Put(static_cast<uint8_t>(random.Below(2)), bytes);
    default:
      break;
  }
  for (int64_t i = 0; i < DTypeBytes(static_cast<linnet::DType>(dtype)); ++i)
    bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(number) >> (8 * i)));
}

}  // namespace

int64_t BytesOf(const Type& type, Layout layout) {
  Type padded = type;
  if (HasRows4(layout) && padded.shape.empty()) padded.shape = {1};
  if (!padded.shape.empty() && padded.shape.back() < int64_t{1} << 62)
    padded.shape.back() = RowElements(layout, padded.shape.back());
  const auto dtype = static_cast<linnet::DType>(type.dtype);
  return DTypeBytes(dtype) == 0 ? 0
                                : SaturatingMul(ElementsOf(padded), ElementBytes(layout, dtype));
}

int64_t EncodedBytesOf(const Type& type, schema::Encoding encoding) {
  const int64_t element_bytes =
      DTypeBytes(StoredDType(static_cast<linnet::DType>(type.dtype), encoding));
  if (!IsPanels(encoding)) return SaturatingMul(ElementsOf(type), element_bytes);
  if (type.shape.empty()) return PanelElements(1, 1) * element_bytes;
  const Type column{type.dtype, {type.shape.begin() + 1, type.shape.end()}};
  const int64_t columns = std::max<int64_t>(type.shape[0], 0);
  return SaturatingMul(PanelElements(ElementsOf(column), columns), element_bytes);
}

std::vector<uint8_t> PlanEditor::RandomBytes(const Type& type) {
  std::vector<uint8_t> bytes;
  const int64_t elements = std::min<int64_t>(ElementsOf(type), 1 << 14);
  // One extreme element would keep the backends from being compared (plan_trial.cc).
  const bool calm = !random.OneIn(8);
  for (int64_t i = 0; i < elements; ++i) PutElement(type.dtype, calm, random, bytes);
  return bytes;
}

Type PlanEditor::TypeOf(int32_t tensor) const {
  if (!IsTensor(tensor)) return {};
  return {program.tensors[tensor]->dtype, program.tensors[tensor]->shape};
}

size_t PlanEditor::SpaceOf(int32_t tensor) const {
  const int32_t buffer = program.tensors[tensor]->buffer;
  if (buffer < 0 || buffer >= static_cast<int32_t>(program.buffers.size())) return 0;
  const size_t space = program.buffers[buffer]->space;
  return space < program.spaces.size() ? space : 0;
}

void PlanEditor::Move(int32_t tensor, size_t space) {
  const int64_t bytes =
      std::min<int64_t>(BytesOf(TypeOf(tensor), LayoutOf(space)), int64_t{1} << 40);
  int64_t end = 0;
  for (const auto& buffer : program.buffers)
    if (buffer->space == space) end = std::max(end, SaturatingAdd(buffer->offset, buffer->size));
  auto buffer = std::make_unique<schema::BufferT>();
  buffer->space = static_cast<uint8_t>(space);
  buffer->offset = AlignUp(std::min<int64_t>(end, kMaxSpaceBytes), kRows4Alignment);
  buffer->size = bytes;
  schema::TensorT& table = *program.tensors[tensor];
  table.buffer = static_cast<int32_t>(program.buffers.size());
  table.offset = 0;
  table.weight = table.state = -1;
  program.buffers.push_back(std::move(buffer));
}

int32_t PlanEditor::AddTensor(const Type& type, size_t space) {
  auto tensor = std::make_unique<schema::TensorT>();
  tensor->dtype = type.dtype;
  tensor->shape = type.shape;
  program.tensors.push_back(std::move(tensor));
  const auto index = static_cast<int32_t>(program.tensors.size()) - 1;
  Move(index, space);
  return index;
}

int32_t PlanEditor::AddConstant(const Type& type) { return AddConstant(type, RandomBytes(type)); }

int32_t PlanEditor::AddConstant(const Type& type, std::vector<uint8_t> bytes) {
  const int32_t index = AddTensor(type);
  program.buffers.pop_back();
  program.tensors[index]->buffer = -1;
  program.tensors[index]->weight = static_cast<int32_t>(file.weights.size());
  file.weights.push_back(std::move(bytes));
  file.plan.weights.push_back(std::make_unique<schema::WeightT>());
  return index;
}

std::unique_ptr<schema::PortT> PlanEditor::NewPort(const char* kind, int32_t tensor) {
  auto port = std::make_unique<schema::PortT>();
  port->name =
      kind + std::to_string(program.signature->inputs.size() + program.signature->outputs.size());
  port->tensor = tensor;
  return port;
}

int32_t PlanEditor::AddInput(const Type& type) {
  const int32_t index = AddTensor(type);
  program.signature->inputs.push_back(NewPort("in", index));
  return index;
}

void PlanEditor::AddOutput(int32_t tensor) {
  program.signature->outputs.push_back(NewPort("out", tensor));
}

int32_t PlanEditor::AddSymbol(int64_t min, int64_t max) {
  auto symbol = std::make_unique<schema::SymbolT>();
  symbol->name = "s" + std::to_string(file.plan.symbols.size());
  symbol->min = min;
  symbol->max = max;
  file.plan.symbols.push_back(std::move(symbol));
  return static_cast<int32_t>(file.plan.symbols.size()) - 1;
}

int32_t PlanEditor::FindReadable(size_t before, const Type* type) {
  std::vector<int32_t> found;
  const auto take = [&](int32_t tensor) {
    if (IsTensor(tensor) && (type == nullptr || TypeOf(tensor) == *type)) found.push_back(tensor);
  };
  for (const auto& port : program.signature->inputs) take(port->tensor);
  for (int32_t i = 0; i < static_cast<int32_t>(program.tensors.size()); ++i)
    if (program.tensors[i]->weight >= 0 || program.tensors[i]->state >= 0) take(i);
  for (size_t i = 0; i < std::min(before, steps().size()); ++i)
    for (const int32_t tensor : steps()[i]->outputs) take(tensor);
  return found.empty() ? -1 : random.Pick(found);
}

int32_t PlanEditor::FindOrAdd(size_t before, const Type& type) {
  const int32_t found = FindReadable(before, &type);
  if (found >= 0 && !random.OneIn(8)) return found;
  return random.OneIn(2) ? AddInput(type) : AddConstant(type);
}

schema::StepT* PlanEditor::AnyStep() {
  std::vector<schema::StepT*> all;
  for (const auto& region : program.regions)
    for (const auto& step : region->steps) all.push_back(step.get());
  return all.empty() ? nullptr : random.Pick(all);
}

}  // namespace linnet::fuzz
