// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/alias_options.h"

#include <algorithm>

#include "runtime/ops/concat.h"
#include "runtime/ops/contiguous.h"
#include "runtime/ops/slice.h"

namespace linnet::converter {
namespace {

using planner::AliasKind;
using planner::AliasOption;

// Of one step.
class Finder {
 public:
  Finder(const Program::Step& step, std::span<const Program::Tensor> tensors, Layout layout)
      : step_(step), tensors_(tensors), layout_(layout) {}

  std::vector<AliasOption> Find(bool varies) {
    if (step_.is_copy) return {};
    if (step_.node->IsStructured()) {
      AddVariables();
      return std::move(options_);
    }
    AddWhole();
    if (varies) return std::move(options_);  // offsets would vary
    if (step_.node->Is<ConcatAttrs>()) AddConcat();
    if (step_.node->Is<SliceAttrs>()) AddSlice();
    return std::move(options_);
  }

 private:
  void Add(AliasKind kind, int inner, int outer, int64_t offset) {
    options_.push_back({.kind = kind, .inner = inner, .outer = outer, .offset = offset});
  }

  // The output lies where an input does.
  void AddWhole() {
    const uint32_t traits = FindOp(step_.node->kind())->traits;
    const int out = step_.outputs[0];
    if ((traits & kAlias) && MayView(step_.inputs[0]))
      Add(AliasKind::kView, out, step_.inputs[0], 0);
    if ((traits & kMayRunInPlace) && MayOverwrite(step_.inputs[0], traits))
      Add(AliasKind::kOverwrite, out, step_.inputs[0], 0);
    if ((traits & kInPlaceSecond) && step_.inputs.size() > 1 &&
        MayOverwrite(step_.inputs[1], traits))
      Add(AliasKind::kOverwrite, out, step_.inputs[1], 0);
  }

  bool MayView(int input) const {
    const Program::Tensor &in = tensors_[input], &out = tensors_[step_.outputs[0]];
    return in.in_arena() && SameElements(layout_, in.type, out.type);
  }

  // Where extents vary, equal maxima do not mean equal extents.
  bool MayOverwrite(int input, uint32_t traits) const {
    const Program::Tensor &in = tensors_[input], &out = tensors_[step_.outputs[0]];
    return in.in_arena() && ((traits & kAlias) || in.symbols == out.symbols) &&
           CanOverwrite(layout_, in.type, out.type);
  }

  // A variable may begin where its first value lies, unless the regions read that too.
  void AddVariables() {
    if (step_.node->node_class() != NodeClass::kLinnetWhile) return;
    for (size_t i = 0; i < step_.outputs.size(); ++i)
      if (std::ranges::count(step_.inputs, step_.inputs[i]) == 1)
        Add(AliasKind::kOverwrite, step_.outputs[i], step_.inputs[i], 0);
  }

  void AddConcat() {
    const int axis = step_.node->attrs<ConcatAttrs>().axis;
    const TensorType& whole = tensors_[step_.outputs[0]].type;
    Shape begin(std::vector<int64_t>(whole.shape.rank(), 0));
    for (int input : step_.inputs) {
      const Program::Tensor& part = tensors_[input];
      const int64_t offset = PartOffset(layout_, whole, begin, part.type.shape);
      if (offset >= 0 && part.in_arena() && BytesIn(layout_, part.type) > 0)
        Add(AliasKind::kPart, input, step_.outputs[0], offset);
      begin[axis] += part.type.shape[axis];
    }
  }

  void AddSlice() {
    const auto& slice = step_.node->attrs<SliceAttrs>();
    const Program::Tensor& source = tensors_[step_.inputs[0]];
    if (!source.in_arena() || slice.size.num_elements() == 0) return;
    for (int i = 0; i < slice.stride.rank(); ++i)
      if (slice.stride[i] != 1 && slice.size[i] > 1) return;
    const int64_t offset = PartOffset(layout_, source.type, slice.begin, slice.size);
    if (offset >= 0) Add(AliasKind::kView, step_.outputs[0], step_.inputs[0], offset);
  }

  const Program::Step& step_;
  std::span<const Program::Tensor> tensors_;
  const Layout layout_;
  std::vector<AliasOption> options_;
};

}  // namespace

std::vector<AliasOption> AliasesOf(const Program::Step& step,
                                   std::span<const Program::Tensor> tensors, Layout layout,
                                   bool varies) {
  return Finder(step, tensors, layout).Find(varies);
}

void OverwriteVariables(const Program::Region& body, std::span<const int> variables,
                        std::span<Program::Tensor> tensors) {
  for (size_t k = 0; k < variables.size(); ++k) {
    const int variable = variables[k], result = body.results[k];
    auto uses = std::ranges::count(body.results, variable);
    bool is_made_in_place = false;
    for (const Program::Step& step : body.steps) {
      uses += std::ranges::count(step.inputs, variable);
      if (step.node->IsStructured() || step.outputs[0] != result) continue;
      is_made_in_place = (FindOp(step.node->kind())->traits & kMayRunInPlace) &&
                         step.inputs[0] == variable &&
                         tensors[variable].type == tensors[result].type &&
                         tensors[variable].symbols == tensors[result].symbols;
    }
    if (is_made_in_place && uses == 1 && std::ranges::count(body.results, result) == 1)
      tensors[result].overwrites = variable;
  }
}

}  // namespace linnet::converter
