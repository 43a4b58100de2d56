// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runtime/ops/op_def.h"
#include "tests/fuzz/structure/attrs_mutator.h"
#include "tests/fuzz/structure/follow_types.h"
#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

constexpr size_t kMaxSteps = 24;
constexpr int kTries = 24;  // attempts to find an op whose rule accepts the inputs

std::vector<int64_t> ShapeRead(const PlanEditor& editor, const schema::StepT& step) {
  return step.inputs.empty() ? std::vector<int64_t>{} : editor.TypeOf(step.inputs[0]).shape;
}

void ChangeAttrs(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr || step->control != schema::Control::None) return;
  const std::vector<uint8_t> before = step->attrs;
  for (int i = 0; i < kTries; ++i) {
    step->attrs = MutateAttrs(static_cast<uint16_t>(step->op), before, ShapeRead(editor, *step),
                              editor.random);
    if (RuleTakes(editor.file, editor.program, *step)) return;
  }
}

// A constant of small numbers, such as indices and axes.
int32_t AddIntegers(PlanEditor& editor, const std::vector<int64_t>& shape) {
  const auto dtype = editor.random.OneIn(4) ? schema::DType::Int64 : schema::DType::Int32;
  return editor.random.OneIn(2) ? editor.AddConstant({dtype, shape})
                                : editor.AddInput({dtype, shape});
}

// An existing tensor, or a new one whose shape is related to the first's.
int32_t SomeInput(PlanEditor& editor, size_t at, const schema::StepT& step) {
  Random& random = editor.random;
  const Type first =
      step.inputs.empty() ? Type{schema::DType::Float32, {}} : editor.TypeOf(step.inputs[0]);
  switch (random.Below(6)) {
    case 0: {
      Type type{first.dtype, {}};
      for (size_t rank = random.Below(5); rank > 0; --rank) type.shape.push_back(random.Extent());
      return random.OneIn(2) ? editor.AddInput(type) : editor.AddConstant(type);
    }
    case 1: {
      Type type = first;
      for (int64_t& dim : type.shape)
        if (random.OneIn(3)) dim = random.OneIn(2) ? 1 : random.Extent();
      if (!type.shape.empty() && random.OneIn(3)) type.shape.erase(type.shape.begin());
      return editor.AddConstant(type);
    }
    case 2:
      return AddIntegers(
          editor, random.OneIn(2) ? std::vector<int64_t>{} : std::vector<int64_t>{random.Extent()});
    case 3:
      return editor.FindOrAdd(at, first);
    default:
      return editor.FindReadable(at, nullptr);
  }
}

bool FindInputs(PlanEditor& editor, size_t at, const OpDef& def, schema::StepT& step) {
  const size_t tensors = editor.program.tensors.size();
  for (int i = 0; i < kTries; ++i) {
    step.inputs.clear();
    const int wanted = def.min_inputs +
                       static_cast<int>(editor.random.Below(
                           static_cast<size_t>(std::min(def.max_inputs, 4) - def.min_inputs) + 1));
    for (int k = 0; k < wanted; ++k) {
      const int32_t input = SomeInput(editor, at, step);
      if (input < 0) return false;
      step.inputs.push_back(input);
    }
    step.attrs = MutateAttrs(static_cast<uint16_t>(step.op), step.attrs, ShapeRead(editor, step),
                             editor.random);
    if (RuleTakes(editor.file, editor.program, step)) return true;
    if (editor.program.tensors.size() > tensors + 64) return false;
  }
  return false;
}

void InsertStep(PlanEditor& editor) {
  if (editor.steps().size() >= kMaxSteps) return;
  const size_t at = editor.random.Below(editor.steps().size() + 1);
  auto step = std::make_unique<schema::StepT>();
  step->op = static_cast<schema::OpKind>(editor.random.Below(kNumOps));
  const OpDef& def = *FindOp(static_cast<OpKind>(step->op));
  if (!FindInputs(editor, at, def, *step)) return;
  for (int i = 0; i < def.num_outputs; ++i) {
    step->outputs.push_back(editor.AddTensor({}));
    if (!editor.random.OneIn(3)) editor.AddOutput(step->outputs.back());
  }
  editor.steps().insert(editor.steps().begin() + static_cast<ptrdiff_t>(at), std::move(step));
}

// A step of region 0; -1 when it is empty.
ptrdiff_t SomeStep(PlanEditor& editor) {
  return editor.steps().empty()
             ? -1
             : static_cast<ptrdiff_t>(editor.random.Below(editor.steps().size()));
}

void ReplaceReads(PlanEditor& editor, int32_t from, int32_t to) {
  for (const auto& region : editor.program.regions) {
    for (const auto& step : region->steps) std::ranges::replace(step->inputs, from, to);
    std::ranges::replace(region->results, from, to);
  }
  for (const auto& port : editor.program.signature->outputs)
    if (port->tensor == from) port->tensor = to;
}

void RemoveStep(PlanEditor& editor) {
  const ptrdiff_t at = SomeStep(editor);
  if (at < 0 || editor.steps().size() < 2) return;
  const std::vector<int32_t> outputs = editor.steps()[static_cast<size_t>(at)]->outputs;
  editor.steps().erase(editor.steps().begin() + at);
  for (const int32_t output : outputs)
    ReplaceReads(editor, output, editor.FindOrAdd(static_cast<size_t>(at), editor.TypeOf(output)));
}

void DuplicateStep(PlanEditor& editor) {
  const ptrdiff_t at = SomeStep(editor);
  if (at < 0 || editor.steps().size() >= kMaxSteps) return;
  auto step = std::make_unique<schema::StepT>(*editor.steps()[static_cast<size_t>(at)]);
  if (!step->regions.empty()) return;
  step->sets.clear();
  for (int32_t& output : step->outputs) {
    output = editor.AddTensor(editor.TypeOf(output));
    editor.AddOutput(output);
  }
  editor.steps().insert(editor.steps().begin() + at + 1, std::move(step));
}

void SwapSteps(PlanEditor& editor) {
  const ptrdiff_t a = SomeStep(editor), b = SomeStep(editor);
  if (a >= 0)
    std::swap(editor.steps()[static_cast<size_t>(a)], editor.steps()[static_cast<size_t>(b)]);
}

// To a tensor of the same type, or of any type.
void Rewire(PlanEditor& editor) {
  const ptrdiff_t at = SomeStep(editor);
  if (at < 0) return;
  schema::StepT& step = *editor.steps()[static_cast<size_t>(at)];
  if (step.inputs.empty()) return;
  int32_t& input = editor.random.Pick(step.inputs);
  if (editor.random.OneIn(4)) {
    input = editor.FindReadable(static_cast<size_t>(at), nullptr);
  } else {
    input = editor.FindOrAdd(static_cast<size_t>(at), editor.TypeOf(input));
  }
}

void RepeatInput(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr || step->inputs.empty() || step->inputs.size() > 8) return;
  step->inputs.insert(
      step->inputs.begin() + static_cast<ptrdiff_t>(editor.random.Below(step->inputs.size())),
      editor.random.Pick(step->inputs));
}

void DropInput(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step != nullptr && !step->inputs.empty()) step->inputs.pop_back();
}

void ChangeOp(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr || step->control != schema::Control::None) return;
  const schema::StepT before = *step;
  for (int i = 0; i < 2 * kTries; ++i) {
    step->op = static_cast<schema::OpKind>(editor.random.Below(kNumOps));
    step->attrs =
        MutateAttrs(static_cast<uint16_t>(step->op), {}, ShapeRead(editor, *step), editor.random);
    if (RuleTakes(editor.file, editor.program, *step)) return;
  }
  *step = before;
}

// A number that does not exist in this program, or one at the wrong place.
void BreakStep(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr) return;
  std::vector<int32_t>& list = editor.random.OneIn(2) ? step->inputs : step->outputs;
  if (!list.empty())
    editor.random.Pick(list) =
        static_cast<int32_t>(editor.random.Below(editor.program.tensors.size() + 1));
  if (editor.random.OneIn(8))
    step->op = static_cast<schema::OpKind>(editor.random.Below(kNumOps + 1));
  if (editor.random.OneIn(8)) step->control = static_cast<schema::Control>(editor.random.Below(5));
}

constexpr Mutation kStepMutations[] = {ChangeAttrs, ChangeAttrs, ChangeAttrs, InsertStep,
                                       InsertStep,  InsertStep,  RemoveStep,  DuplicateStep,
                                       SwapSteps,   Rewire,      Rewire,      RepeatInput,
                                       DropInput,   ChangeOp,    BreakStep};

}  // namespace

std::span<const Mutation> StepMutations() { return kStepMutations; }

}  // namespace linnet::fuzz
