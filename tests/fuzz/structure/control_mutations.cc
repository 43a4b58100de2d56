// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "tests/fuzz/structure/attrs_mutator.h"
#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

using schema::Control;

const Type kBoolScalar{schema::DType::Bool, {}};
const Type kIntScalar{schema::DType::Int32, {}};

int32_t AddRegion(PlanEditor& editor) {
  editor.program.regions.push_back(std::make_unique<schema::RegionT>());
  return static_cast<int32_t>(editor.program.regions.size()) - 1;
}

std::unique_ptr<schema::StepT> NewStep(schema::OpKind op, uint8_t kind, std::vector<int32_t> inputs,
                                       int32_t output) {
  auto step = std::make_unique<schema::StepT>();
  step->op = op;
  step->attrs = AttrsOfKind(kind);
  step->inputs = std::move(inputs);
  step->outputs = {output};
  return step;
}

// A step of region 0 with an op, which can be moved into a region; null when there is none.
std::unique_ptr<schema::StepT>* SomeOpStep(PlanEditor& editor) {
  if (editor.steps().empty() || editor.program.regions.size() > 8) return nullptr;
  auto& step = editor.random.Pick(editor.steps());
  return step->sets.empty() && step->control != Control::Copy ? &step : nullptr;
}

std::vector<int32_t> FreshOutputs(PlanEditor& editor, const std::vector<int32_t>& outputs) {
  std::vector<int32_t> fresh;
  for (const int32_t output : outputs) fresh.push_back(editor.AddTensor(editor.TypeOf(output)));
  return fresh;
}

std::vector<int32_t> Constants(PlanEditor& editor, const std::vector<int32_t>& like) {
  std::vector<int32_t> constants;
  for (const int32_t tensor : like) constants.push_back(editor.AddConstant(editor.TypeOf(tensor)));
  return constants;
}

// A step must list what its regions read: everything that the moved step read, except constants.
void AddCaptured(const PlanEditor& editor, const std::vector<int32_t>& reads,
                 std::vector<int32_t>& inputs) {
  for (const int32_t tensor : reads)
    if (editor.IsTensor(tensor) && editor.program.tensors[static_cast<size_t>(tensor)]->weight < 0)
      inputs.push_back(tensor);
}

// The step becomes one branch of an If; the other branch gives constants, or is a copy of the
// first.
void WrapInIf(PlanEditor& editor) {
  std::unique_ptr<schema::StepT>* place = SomeOpStep(editor);
  if (place == nullptr) return;
  auto branch = std::make_unique<schema::StepT>();
  branch->control = Control::If;
  branch->outputs = (*place)->outputs;
  branch->inputs = {editor.random.OneIn(4) ? editor.AddConstant(kBoolScalar)
                                           : editor.AddInput(kBoolScalar)};
  AddCaptured(editor, (*place)->inputs, branch->inputs);
  branch->regions = {AddRegion(editor), AddRegion(editor)};
  (*place)->outputs = FreshOutputs(editor, branch->outputs);
  schema::RegionT& taken = *editor.program.regions[static_cast<size_t>(branch->regions[0])];
  schema::RegionT& other = *editor.program.regions[static_cast<size_t>(branch->regions[1])];
  taken.results = (*place)->outputs;
  if (editor.random.OneIn(2) && (*place)->regions.empty()) {
    other.steps.push_back(std::make_unique<schema::StepT>(**place));
    other.steps[0]->outputs = other.results = FreshOutputs(editor, branch->outputs);
  } else {
    other.results = Constants(editor, branch->outputs);
  }
  taken.steps.push_back(std::move(*place));
  *place = std::move(branch);
}

// The step becomes the body of a loop with a counter; its outputs are the loop's variables.
void WrapInWhile(PlanEditor& editor) {
  std::unique_ptr<schema::StepT>* place = SomeOpStep(editor);
  if (place == nullptr) return;
  auto loop = std::make_unique<schema::StepT>();
  loop->control = Control::While;
  const int32_t counter = editor.AddTensor(kIntScalar);
  loop->outputs = (*place)->outputs;
  loop->inputs = Constants(editor, loop->outputs);
  loop->outputs.push_back(counter);
  loop->inputs.push_back(editor.AddConstant(kIntScalar, {0, 0, 0, 0}));
  AddCaptured(editor, (*place)->inputs, loop->inputs);
  loop->regions = {AddRegion(editor), AddRegion(editor)};
  schema::RegionT& condition = *editor.program.regions[static_cast<size_t>(loop->regions[0])];
  schema::RegionT& body = *editor.program.regions[static_cast<size_t>(loop->regions[1])];
  const auto times = static_cast<uint8_t>(editor.random.Below(5));
  const int32_t most = editor.AddConstant(kIntScalar, {times, 0, 0, 0});
  const int32_t more = editor.AddTensor(kBoolScalar), next = editor.AddTensor(kIntScalar);
  condition.steps.push_back(NewStep(schema::OpKind::Compare,
                                    static_cast<uint8_t>(3),  // Less
                                    {counter, most}, more));
  condition.results = {more};
  (*place)->outputs = FreshOutputs(editor, (*place)->outputs);
  body.results = (*place)->outputs;
  // An input with the type of one of the loop's variables now reads that variable.
  if (!(*place)->inputs.empty() && editor.random.OneIn(2))
    for (int32_t& input : (*place)->inputs)
      for (size_t i = 0; i + 1 < loop->outputs.size(); ++i)
        if (editor.TypeOf(input) == editor.TypeOf(loop->outputs[i])) input = loop->outputs[i];
  body.steps.push_back(std::move(*place));
  const int32_t one = editor.AddConstant(kIntScalar, {1, 0, 0, 0});
  body.steps.push_back(NewStep(schema::OpKind::Binary, 1 /* Add */, {counter, one}, next));
  body.results.push_back(next);
  *place = std::move(loop);
}

void AddState(PlanEditor& editor) {
  if (editor.steps().empty()) return;
  // Some step reads the state instead of another tensor, and that step's output is the state's next
  // value.
  schema::StepT& step = *editor.random.Pick(editor.steps());
  if (step.inputs.empty() || step.outputs.empty()) return;
  int32_t& input = editor.random.Pick(step.inputs);
  const Type type = editor.TypeOf(input);
  const int32_t next = editor.FindReadable(editor.steps().size(), &type);
  auto state = std::make_unique<schema::StateT>();
  state->name = "state" + std::to_string(editor.file.plan.states.size());
  state->dtype = type.dtype;
  state->shape = type.shape;
  const int32_t tensor = editor.AddTensor(type);
  editor.program.buffers.pop_back();
  schema::TensorT& table = *editor.program.tensors[static_cast<size_t>(tensor)];
  table.buffer = -1;
  table.state = static_cast<int32_t>(editor.file.plan.states.size());
  editor.file.plan.states.push_back(std::move(state));
  input = tensor;
  if (next < 0) return;
  editor.program.regions[0]->arguments.push_back(tensor);
  editor.program.regions[0]->results.push_back(next);
}

void ChangeState(PlanEditor& editor) {
  if (editor.file.plan.states.empty()) return;
  schema::StateT& state = *editor.random.Pick(editor.file.plan.states);
  if (editor.random.OneIn(2)) {
    state.initial = static_cast<int32_t>(editor.random.Below(editor.file.weights.size() + 1)) - 1;
  } else if (!state.shape.empty()) {
    editor.random.Pick(state.shape) = editor.random.Extent();
  }
}

// An extent of an input becomes a symbol.
void MakeVary(PlanEditor& editor) {
  auto& inputs = editor.program.signature->inputs;
  if (inputs.empty()) return;
  const int32_t index = editor.random.Pick(inputs)->tensor;
  if (!editor.IsTensor(index)) return;
  schema::TensorT& tensor = *editor.program.tensors[static_cast<size_t>(index)];
  if (tensor.shape.empty() || tensor.buffer < 0) return;
  const size_t d = editor.random.Below(tensor.shape.size());
  tensor.symbols.resize(tensor.shape.size(), -1);
  const int64_t most = std::max<int64_t>(tensor.shape[d], 0);
  for (size_t i = 0; i < editor.file.plan.symbols.size(); ++i)
    if (editor.file.plan.symbols[i]->terms.empty() && editor.file.plan.symbols[i]->max == most &&
        editor.random.OneIn(2))
      tensor.symbols[d] = static_cast<int32_t>(i);
  if (tensor.symbols[d] < 0)
    tensor.symbols[d] = editor.AddSymbol(static_cast<int64_t>(editor.random.Below(
                                             static_cast<size_t>(std::min<int64_t>(most, 64)) + 1)),
                                         most);
}

int32_t SomeSymbol(PlanEditor& editor) {
  return static_cast<int32_t>(editor.random.Below(editor.file.plan.symbols.size() + 1)) -
         static_cast<int32_t>(editor.random.OneIn(16));
}

void ChangeSymbol(PlanEditor& editor) {
  if (editor.file.plan.symbols.empty()) return;
  schema::SymbolT& symbol = *editor.random.Pick(editor.file.plan.symbols);
  switch (editor.random.Below(4)) {
    case 0:
      symbol.terms.emplace_back(SomeSymbol(editor), editor.random.Number());
      return;
    case 1:
      symbol.terms.clear();
      return;
    case 2:
      symbol.constant = editor.random.Number();
      return;
    default:
      (editor.random.OneIn(2) ? symbol.min : symbol.max) =
          editor.random.OneIn(4) ? editor.random.Number() : editor.random.Extent();
  }
}

// An extent that depends on another one: constant + factor * symbol.
void AddDependentSymbol(PlanEditor& editor) {
  if (editor.file.plan.symbols.empty()) return;
  const size_t from = editor.random.Below(editor.file.plan.symbols.size());
  if (!editor.file.plan.symbols[from]->terms.empty()) return;
  const int32_t index = editor.AddSymbol(0, 1 << 20);
  schema::SymbolT& symbol = *editor.file.plan.symbols[static_cast<size_t>(index)];
  symbol.constant = editor.random.OneIn(2) ? editor.random.Extent() : 0;
  symbol.terms.emplace_back(
      static_cast<int32_t>(from),
      editor.random.OneIn(2) ? 1 : static_cast<int64_t>(editor.random.Below(5)) - 2);
}

void AddAttrExtent(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step != nullptr && step->attr_extents.size() < 16)
    step->attr_extents.emplace_back(static_cast<int32_t>(editor.random.Below(8)),
                                    SomeSymbol(editor));
}

void AddSet(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr || step->sets.size() >= 16) return;
  const auto element = static_cast<int32_t>(editor.random.Below(8)) - 4;
  step->sets.emplace_back(SomeSymbol(editor), static_cast<int32_t>(editor.random.Below(2)),
                          element);
}

// A dimension of an output becomes an extent that its step sets.
void SetOutputExtent(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr || step->outputs.empty() || step->sets.size() >= 16) return;
  const size_t output = editor.random.Below(step->outputs.size());
  if (!editor.IsTensor(step->outputs[output])) return;
  schema::TensorT& tensor = *editor.program.tensors[static_cast<size_t>(step->outputs[output])];
  if (tensor.shape.empty() || tensor.buffer < 0) return;
  const size_t d = editor.random.Below(tensor.shape.size());
  tensor.symbols.resize(tensor.shape.size(), -1);
  tensor.symbols[d] = editor.AddSymbol(0, std::max<int64_t>(tensor.shape[d], 0));
  step->sets.emplace_back(tensor.symbols[d], static_cast<int32_t>(output),
                          -1 - static_cast<int32_t>(d));
}

void DropExtents(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr) return;
  if (editor.random.OneIn(2))
    step->sets.clear();
  else
    step->attr_extents.clear();
}

void ChangeTensorSymbol(PlanEditor& editor) {
  if (editor.program.tensors.empty()) return;
  schema::TensorT& tensor = *editor.random.Pick(editor.program.tensors);
  if (tensor.shape.empty()) return;
  tensor.symbols.resize(tensor.shape.size(), -1);
  editor.random.Pick(tensor.symbols) = SomeSymbol(editor);
}

void ChangeRegion(PlanEditor& editor) {
  schema::RegionT& region = *editor.random.Pick(editor.program.regions);
  if (editor.random.OneIn(3) && region.steps.size() > 1)
    region.steps.erase(region.steps.begin() +
                       static_cast<ptrdiff_t>(editor.random.Below(region.steps.size())));
  else if (!region.results.empty())
    editor.random.Pick(region.results) =
        static_cast<int32_t>(editor.random.Below(editor.program.tensors.size()));
}

void ChangeSegments(PlanEditor& editor) {
  auto segment = std::make_unique<schema::SegmentT>();
  segment->backend = static_cast<uint8_t>(editor.random.Below(3));
  segment->first = static_cast<uint32_t>(editor.random.Below(editor.steps().size() + 1));
  segment->count = static_cast<uint32_t>(editor.random.Below(editor.steps().size() + 2));
  if (editor.random.OneIn(2)) {
    segment->first = 0;
    segment->count = static_cast<uint32_t>(editor.steps().size());
    editor.program.segments.clear();
  }
  editor.program.segments.push_back(std::move(segment));
  if (editor.random.OneIn(4)) editor.program.segments.clear();
}

std::unique_ptr<schema::StepT> CopyStep(int32_t from, int32_t to) {
  auto copy = std::make_unique<schema::StepT>();
  copy->control = Control::Copy;
  copy->inputs = {from};
  copy->outputs = {to};
  return copy;
}

void AddSegment(PlanEditor& editor, size_t space, size_t first, size_t count) {
  if (count == 0) return;
  auto& segment = *editor.program.segments.emplace_back(std::make_unique<schema::SegmentT>());
  segment.backend = static_cast<uint8_t>(space);
  segment.first = static_cast<uint32_t>(first);
  segment.count = static_cast<uint32_t>(count);
}

// A step of a program that runs on the host moves to a device: copies, the step, copies.
void MoveToDevice(PlanEditor& editor) {
  auto& steps = editor.steps();
  if (!editor.program.segments.empty() || editor.program.spaces.size() > 1 || steps.empty()) return;
  const size_t at = editor.random.Below(steps.size());
  schema::StepT& step = *steps[at];
  if (step.control != Control::None || !step.sets.empty()) return;
  auto& space = *editor.program.spaces.emplace_back(std::make_unique<schema::SpaceT>());
  space.kind = 1;
  space.device = "gpu";
  constexpr schema::Layout kLayouts[] = {schema::Layout::Rows4, schema::Layout::Rows4Half,
                                         schema::Layout::Rows4, schema::Layout::Dense};
  space.layout = kLayouts[editor.random.Below(4)];
  std::vector<std::unique_ptr<schema::StepT>> before, after;
  for (int32_t& input : step.inputs) {
    if (!editor.IsTensor(input) || editor.program.tensors[static_cast<size_t>(input)]->weight >= 0)
      continue;
    const int32_t there = editor.AddTensor(editor.TypeOf(input), 1);
    before.push_back(CopyStep(input, there));
    input = there;
  }
  for (int32_t& output : step.outputs) {
    const int32_t there = editor.AddTensor(editor.TypeOf(output), 1);
    after.push_back(CopyStep(there, output));
    output = there;
  }
  const size_t behind = at + before.size() + 1;
  const auto insert = [&](auto& list, size_t index) {
    steps.insert(steps.begin() + static_cast<ptrdiff_t>(index),
                 std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
  };
  insert(before, at);
  insert(after, behind);
  AddSegment(editor, 0, 0, at);
  AddSegment(editor, 1, at, behind - at);
  AddSegment(editor, 0, behind, steps.size() - behind);
}

void ChangeLayout(PlanEditor& editor) {
  editor.random.Pick(editor.program.spaces)->layout =
      static_cast<schema::Layout>(editor.random.Below(3));
}

// Scratch memory for a step of a device: none, a new buffer, or any that exists or does not.
void ChangeScratch(PlanEditor& editor) {
  schema::StepT* step = editor.AnyStep();
  if (step == nullptr) return;
  auto& buffers = editor.program.buffers;
  switch (editor.random.Below(4)) {
    case 0:
      step->scratch = -1;
      return;
    case 1:
      step->scratch = static_cast<int32_t>(editor.random.Below(buffers.size() + 2));
      return;
    default: {
      const size_t space = editor.program.spaces.size() - 1;
      const auto elements = static_cast<int64_t>(editor.random.Below(1 << 16));
      editor.AddTensor({schema::DType::Uint8, {elements}}, space);
      editor.program.tensors.pop_back();
      step->scratch = static_cast<int32_t>(buffers.size()) - 1;
    }
  }
}

constexpr Mutation kControlMutations[] = {
    WrapInIf,        WrapInWhile,  AddState,           ChangeState,   MakeVary,
    MakeVary,        ChangeSymbol, AddDependentSymbol, AddAttrExtent, AddSet,
    SetOutputExtent, DropExtents,  ChangeTensorSymbol, ChangeRegion,  ChangeSegments,
    MoveToDevice,    MoveToDevice, ChangeLayout,       ChangeScratch, ChangeScratch};

}  // namespace

std::span<const Mutation> ControlMutations() { return kControlMutations; }

}  // namespace linnet::fuzz
