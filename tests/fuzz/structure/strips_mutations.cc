// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/fuzz/structure/attrs_mutator.h"
#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

bool IsMadeInStrips(const schema::TensorT& tensor) {
  return tensor.buffer < 0 && tensor.weight < 0 && tensor.state < 0;
}

void Unplace(PlanEditor& editor, int32_t tensor) {
  if (!editor.IsTensor(tensor)) return;
  schema::TensorT& table = *editor.program.tensors[static_cast<size_t>(tensor)];
  table.buffer = table.weight = table.state = -1;
  table.offset = 0;
}

bool AnyReads(const PlanEditor& editor, size_t first, size_t end, int32_t tensor) {
  const auto& steps = editor.program.regions[0]->steps;
  for (size_t i = first; i < end; ++i)
    if (std::ranges::count(steps[i]->inputs, tensor) > 0) return true;
  return false;
}

// How many steps from the first one on each have a reader among those that follow, and no other.
size_t LongestFrom(const PlanEditor& editor, size_t first) {
  const auto& steps = editor.program.regions[0]->steps;
  const auto is_inside = [&](int32_t tensor, size_t end) {
    return AnyReads(editor, first, end, tensor) && !AnyReads(editor, end, steps.size(), tensor) &&
           std::ranges::none_of(editor.program.signature->outputs,
                                [&](const auto& port) { return port->tensor == tensor; });
  };
  size_t longest = 0;
  for (size_t end = first + 2; end <= std::min(steps.size(), first + 5); ++end) {
    bool fits = true;
    for (size_t i = first; i < end; ++i)
      fits &= steps[i]->outputs.size() == 1 && steps[i]->control == schema::Control::None &&
              (i + 1 == end || is_inside(steps[i]->outputs[0], end));
    if (fits) longest = end - first;
  }
  return longest;
}

// A curve in front of a step that reads a picture: with it, two steps for strips.
bool AddPartAt(PlanEditor& editor, size_t at) {
  auto& steps = editor.steps();
  schema::StepT& step = *steps[at];
  if (step.inputs.empty() || step.control != schema::Control::None) return false;
  int32_t& input = step.inputs[0];
  const Type type = editor.TypeOf(input);
  if (type.dtype != schema::DType::Float32 || type.shape.size() != 4) return false;
  auto curve = std::make_unique<schema::StepT>();
  curve->op = schema::OpKind::Unary;
  curve->attrs = AttrsOfKind(static_cast<uint8_t>(1 + editor.random.Below(8)));
  curve->inputs = {input};
  curve->outputs = {input = editor.AddTensor(type)};
  for (schema::Strips& strips : editor.program.strips)
    if (strips.first() >= at) strips = {strips.first() + 1, strips.count(), strips.rows()};
  steps.insert(steps.begin() + static_cast<ptrdiff_t>(at), std::move(curve));
  return true;
}

void AddPart(PlanEditor& editor) {
  if (!editor.steps().empty()) AddPartAt(editor, editor.random.Below(editor.steps().size()));
}

// Steps run together, whose tensors lose their memory. FollowTypes knows what their rows take.
void RunTogether(PlanEditor& editor) {
  auto& steps = editor.steps();
  if (steps.empty() || !editor.program.segments.empty()) return;
  const size_t first = editor.random.Below(steps.size());
  size_t count = LongestFrom(editor, first);
  if (count == 0 && AddPartAt(editor, first)) count = 2;
  if (count == 0) return;
  for (size_t i = first; i + 1 < first + count; ++i)
    for (const int32_t output : steps[i]->outputs) Unplace(editor, output);
  const schema::StepT& last = *steps[first + count - 1];
  const Type type = last.outputs.empty() ? Type{} : editor.TypeOf(last.outputs[0]);
  const int64_t rows = type.shape.size() == 4 ? std::clamp<int64_t>(type.shape[1], 1, 64) : 2;
  auto& all = editor.program.strips;
  all.insert(
      std::ranges::find_if(all, [&](const schema::Strips& other) { return other.first() > first; }),
      {static_cast<uint32_t>(first), static_cast<uint32_t>(count),
       static_cast<uint32_t>(1 + editor.random.Below(static_cast<size_t>(rows)))});
  steps[first]->scratch = static_cast<int32_t>(editor.program.buffers.size());
  editor.program.buffers.push_back(std::make_unique<schema::BufferT>());
}

uint32_t Any(PlanEditor& editor) {
  return editor.random.OneIn(3) ? static_cast<uint32_t>(editor.random.Number())
                                : static_cast<uint32_t>(editor.random.Below(9));
}

void ChangeStrips(PlanEditor& editor) {
  auto& all = editor.program.strips;
  if (all.empty()) return;
  schema::Strips& strips = editor.random.Pick(all);
  uint32_t first = strips.first(), count = strips.count(), rows = strips.rows();
  switch (editor.random.Below(8)) {
    case 0:
      first = Any(editor);
      break;
    case 1:
      count = Any(editor);
      break;
    case 2:
      all.push_back(strips);
      return;
    case 3:
      return std::swap(strips, all.front());
    case 4:
      rows = Any(editor);
      break;
    default:
      rows = 1 + static_cast<uint32_t>(editor.random.Below(8));
  }
  strips = {first, count, rows};
}

// Strips without some of their steps, or without what makes them strips.
void DropStrips(PlanEditor& editor) {
  auto& all = editor.program.strips;
  if (all.empty()) return;
  if (editor.random.OneIn(2)) {
    all.erase(all.begin() + static_cast<ptrdiff_t>(editor.random.Below(all.size())));
    return;
  }
  for (size_t i = 0; i < editor.program.tensors.size(); ++i)
    if (IsMadeInStrips(*editor.program.tensors[i]) && editor.random.OneIn(2))
      editor.Move(static_cast<int32_t>(i));
}

// A tensor of strips is read, written or named somewhere else, too.
void ShowMadeInStrips(PlanEditor& editor) {
  std::vector<int32_t> made;
  for (size_t i = 0; i < editor.program.tensors.size(); ++i)
    if (IsMadeInStrips(*editor.program.tensors[i])) made.push_back(static_cast<int32_t>(i));
  if (made.empty()) return;
  const int32_t tensor = editor.random.Pick(made);
  schema::StepT* step = editor.AnyStep();
  switch (editor.random.Below(5)) {
    case 0:
      return editor.AddOutput(tensor);
    case 1:
      if (step != nullptr && !step->inputs.empty()) editor.random.Pick(step->inputs) = tensor;
      return;
    case 2:
      if (step != nullptr && !step->outputs.empty()) editor.random.Pick(step->outputs) = tensor;
      return;
    case 3:
      editor.random.Pick(editor.program.regions)->results.push_back(tensor);
      return;
    default:
      return Unplace(editor,
                     static_cast<int32_t>(editor.random.Below(editor.program.tensors.size())));
  }
}

// The last output of strips lies over any tensor, or the memory for their rows does.
void OverlapStrips(PlanEditor& editor) {
  if (editor.program.strips.empty() || editor.program.buffers.empty()) return;
  const schema::Strips& strips = editor.random.Pick(editor.program.strips);
  const uint64_t last = uint64_t{strips.first()} + strips.count() - 1;
  if (strips.first() >= editor.steps().size() || last >= editor.steps().size()) return;
  const schema::StepT& begin = *editor.steps()[strips.first()];
  const schema::StepT& end = *editor.steps()[last];
  const int32_t over = editor.random.Pick(editor.program.tensors)->buffer;
  if (editor.random.OneIn(3)) {
    if (over < 0 || begin.scratch < 0 ||
        begin.scratch >= static_cast<int32_t>(editor.program.buffers.size()) ||
        over >= static_cast<int32_t>(editor.program.buffers.size()))
      return;
    editor.program.buffers[static_cast<size_t>(begin.scratch)]->offset =
        editor.program.buffers[static_cast<size_t>(over)]->offset;
    return;
  }
  if (end.outputs.empty() || !editor.IsTensor(end.outputs[0])) return;
  editor.program.tensors[static_cast<size_t>(end.outputs[0])]->buffer = over;
}

constexpr Mutation kStripsMutations[] = {RunTogether,      RunTogether,  RunTogether,
                                         AddPart,          ChangeStrips, ChangeStrips,
                                         ShowMadeInStrips, DropStrips,   OverlapStrips};

}  // namespace

std::span<const Mutation> StripsMutations() { return kStripsMutations; }

}  // namespace linnet::fuzz
