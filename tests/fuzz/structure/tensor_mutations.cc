// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

schema::TensorT* SomeTensor(PlanEditor& editor, int32_t* index) {
  if (editor.program.tensors.empty()) return nullptr;
  *index = static_cast<int32_t>(editor.random.Below(editor.program.tensors.size()));
  return editor.program.tensors[static_cast<size_t>(*index)].get();
}

bool IsInput(const PlanEditor& editor, int32_t tensor) {
  return std::ranges::any_of(editor.program.signature->inputs,
                             [&](const auto& port) { return port->tensor == tensor; });
}

// Changes an input or a constant; the types of other tensors are updated later.
void ChangeShape(PlanEditor& editor) {
  for (int i = 0; i < 8; ++i) {
    int32_t index = 0;
    schema::TensorT* tensor = SomeTensor(editor, &index);
    if (tensor == nullptr || (tensor->weight < 0 && !IsInput(editor, index))) continue;
    if (tensor->shape.empty() || editor.random.OneIn(8)) {
      tensor->shape.insert(tensor->shape.begin(), editor.random.Extent());
    } else if (editor.random.OneIn(12)) {
      tensor->shape.pop_back();
    } else {
      editor.random.Pick(tensor->shape) =
          editor.random.OneIn(24) ? editor.random.Number() : editor.random.Extent();
    }
    tensor->symbols.clear();
    return;
  }
}

void ChangeDType(PlanEditor& editor) {
  int32_t index = 0;
  if (schema::TensorT* tensor = SomeTensor(editor, &index); tensor != nullptr)
    tensor->dtype = static_cast<schema::DType>(editor.random.Below(12));
}

void InputToConstant(PlanEditor& editor) {
  auto& inputs = editor.program.signature->inputs;
  if (inputs.empty()) return;
  const size_t at = editor.random.Below(inputs.size());
  const int32_t tensor = inputs[at]->tensor;
  if (!editor.IsTensor(tensor)) return;
  inputs.erase(inputs.begin() + static_cast<ptrdiff_t>(at));
  const int32_t constant = editor.AddConstant(editor.TypeOf(tensor));
  *editor.program.tensors[static_cast<size_t>(tensor)] =
      *editor.program.tensors[static_cast<size_t>(constant)];
}

void ConstantToInput(PlanEditor& editor) {
  int32_t index = 0;
  schema::TensorT* tensor = SomeTensor(editor, &index);
  if (tensor == nullptr || tensor->weight < 0) return;
  editor.Move(index);
  auto port = std::make_unique<schema::PortT>();
  port->name = "c" + std::to_string(index);
  port->tensor = index;
  editor.program.signature->inputs.push_back(std::move(port));
}

void Encode(PlanEditor& editor) {
  if (editor.file.plan.weights.empty()) return;
  schema::WeightT& weight = *editor.random.Pick(editor.file.plan.weights);
  weight.encoding = static_cast<schema::Encoding>(
      editor.random.Below(static_cast<uint64_t>(schema::Encoding::MAX) + 1));
  weight.affine = std::make_unique<schema::Affine>(editor.random.Real(), editor.random.Real());
}

void ChangeWeight(PlanEditor& editor) {
  if (editor.file.weights.empty()) return;
  std::vector<uint8_t>& bytes = editor.random.Pick(editor.file.weights);
  if (bytes.empty()) return;
  // An element of four or eight bytes, as most have.
  const uint64_t number =
      editor.random.OneIn(2)
          ? static_cast<uint64_t>(editor.random.Number())
          : __builtin_bit_cast(uint32_t, static_cast<float>(editor.random.Real()));
  const size_t at = editor.random.Below(bytes.size()) & ~size_t{3};
  for (size_t i = 0; i < 8 && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<uint8_t>(number >> (8 * i));
}

// Places two tensors at overlapping offsets.
void Alias(PlanEditor& editor) {
  int32_t index = 0, other = 0;
  schema::TensorT* tensor = SomeTensor(editor, &index);
  const schema::TensorT* over = SomeTensor(editor, &other);
  if (tensor == nullptr || tensor->buffer < 0 || over->buffer < 0) return;
  tensor->buffer = over->buffer;
  tensor->offset = over->offset;
  if (editor.random.OneIn(3))
    tensor->offset += (editor.random.OneIn(2) ? 4 : kRows4Alignment) *
                      static_cast<int64_t>(editor.random.Below(32));
}

// Places a step's first output over one of its inputs: in place, where the op allows it.
void RunInPlace(PlanEditor& editor) {
  const schema::StepT* step = editor.AnyStep();
  if (step == nullptr || step->inputs.empty() || step->outputs.empty()) return;
  const int32_t input = editor.random.Pick(step->inputs), output = step->outputs[0];
  if (!editor.IsTensor(input) || !editor.IsTensor(output)) return;
  const schema::TensorT& from = *editor.program.tensors[static_cast<size_t>(input)];
  if (from.buffer < 0) return;
  editor.program.tensors[static_cast<size_t>(output)]->buffer = from.buffer;
  editor.program.tensors[static_cast<size_t>(output)]->offset = from.offset;
}

void OwnBuffer(PlanEditor& editor) {
  int32_t index = 0;
  const schema::TensorT* tensor = SomeTensor(editor, &index);
  if (tensor != nullptr && tensor->buffer >= 0) editor.Move(index);
}

void ChangeMemory(PlanEditor& editor) {
  if (editor.program.buffers.empty()) return;
  schema::BufferT& buffer = *editor.random.Pick(editor.program.buffers);
  const int64_t number = editor.random.OneIn(2)
                             ? editor.random.Number()
                             : 64 * static_cast<int64_t>(editor.random.Below(16));
  switch (editor.random.Below(3)) {
    case 0:
      buffer.offset = number;
      return;
    case 1:
      buffer.size = number;
      return;
    default:
      buffer.offset = editor.random.Pick(editor.program.buffers)->offset;
  }
}

void ChangePorts(PlanEditor& editor) {
  auto& signature = *editor.program.signature;
  auto& ports = editor.random.OneIn(4) ? signature.inputs : signature.outputs;
  if (ports.empty() || editor.random.OneIn(3)) {
    int32_t index = 0;
    if (SomeTensor(editor, &index) != nullptr) editor.AddOutput(index);
  } else if (editor.random.OneIn(2) && ports.size() > 1) {
    ports.erase(ports.begin() + static_cast<ptrdiff_t>(editor.random.Below(ports.size())));
  } else {
    editor.random.Pick(ports)->tensor =
        static_cast<int32_t>(editor.random.Below(editor.program.tensors.size()));
  }
}

constexpr Mutation kTensorMutations[] = {
    ChangeShape,     ChangeShape, ChangeShape,  ChangeDType,  InputToConstant,
    ConstantToInput, Encode,      ChangeWeight, ChangeWeight, Alias,
    RunInPlace,      RunInPlace,  OwnBuffer,    ChangeMemory, ChangePorts};

}  // namespace

std::span<const Mutation> TensorMutations() { return kTensorMutations; }

}  // namespace linnet::fuzz
