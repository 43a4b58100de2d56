// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/loop_results.h"

#include "converter/legalize/building_blocks.h"
#include "converter/legalize/dense_list.h"

namespace linnet::converter {
absl::StatusOr<Output> EmitChoice(LegalizeContext& context, Output condition, Output a, Output b,
                                  const std::string& suffix) {
  if (a == b) return a;
  if (!a.node->HasType(a.index) || !b.node->HasType(b.index))
    return Unsupported("the model's input chooses between lists");
  if (context.type(a) != context.type(b))
    return Unsupported("the model's input chooses between results of shapes {} and {}",
                       ShapeText(context.shape(a)), ShapeText(context.shape(b)));
  return EmitSelect(context, condition, a, b, suffix);
}

LoopResults::LoopResults(LegalizeContext& context, std::vector<Output> initial)
    : context_(context), results_(std::move(initial)), lists_(results_.size()) {}

absl::Status LoopResults::GoOnOnlyIf(Output condition, int iteration) {
  ++uncertain_;
  if (alive_) {
    LINNET_ASSIGN_OR_RETURN(condition, EmitBinary(context_, BinaryKind::LogicalAnd, alive_,
                                                  condition, fmt::format("{}/alive", iteration)));
  } else {
    for (size_t i = 0; i < results_.size(); ++i)
      if (const TensorList* list = context_.FindList(results_[i]); list != nullptr)
        lists_[i] = *list;
  }
  alive_ = condition;
  return absl::OkStatus();
}

absl::Status LoopResults::Take(const std::vector<Output>& next, int iteration) {
  if (!alive_) {
    results_ = next;
    return absl::OkStatus();
  }
  for (size_t i = 0; i < next.size(); ++i) {
    if (!context_.IsUsed(static_cast<int>(i))) continue;
    const std::string suffix = fmt::format("{}/output_{}", iteration, i);
    if (const TensorList* list = context_.FindList(next[i]); list != nullptr) {
      LINNET_ASSIGN_OR_RETURN(lists_[i], ChooseItems(*list, lists_[i], suffix));
      results_[i] = next[i];
      continue;
    }
    LINNET_ASSIGN_OR_RETURN(results_[i],
                            EmitChoice(context_, alive_, next[i], results_[i], suffix));
  }
  return absl::OkStatus();
}

// Element by element. What was never written reads as zeros.
absl::StatusOr<TensorList> LoopResults::ChooseItems(const TensorList& next, const TensorList& old,
                                                    const std::string& suffix) {
  if (next.is_dense || old.is_dense) {
    LINNET_ASSIGN_OR_RETURN(TensorList a, MakeDense(context_, next, suffix + "/next"));
    if (!a.rows) return a;
    TensorList b = old;
    b.element_shape = a.element_shape;
    LINNET_ASSIGN_OR_RETURN(b, MakeDense(context_, b, suffix + "/old"));
    if (a.most != b.most)
      return Unsupported("a list grows in a loop whose end depends on the model's input");
    LINNET_ASSIGN_OR_RETURN(a.rows, EmitChoice(context_, alive_, a.rows, b.rows, suffix));
    return a;
  }
  if (next.items.size() != old.items.size())
    return Unsupported("a list grows in a loop whose end depends on the model's input");
  TensorList chosen = next;
  for (size_t i = 0; i < next.items.size(); ++i) {
    if (next.items[i] == old.items[i]) continue;
    const std::string name = fmt::format("{}_{}", suffix, i);
    const auto index = static_cast<int64_t>(i);
    LINNET_ASSIGN_OR_RETURN(const Output a,
                            EmitElement(context_, next, index, std::nullopt, name + "/next"));
    // Zeros of the shape that the element has.
    TensorList typed = old;
    const Shape& shape = context_.shape(a);
    typed.element_shape = std::vector<int64_t>(shape.begin(), shape.end());
    LINNET_ASSIGN_OR_RETURN(const Output b,
                            EmitElement(context_, typed, index, std::nullopt, name + "/old"));
    LINNET_ASSIGN_OR_RETURN(chosen.items[i], EmitChoice(context_, alive_, a, b, name));
  }
  return chosen;
}

absl::Status LoopResults::Replace() {
  bool keeps_lists = false;
  for (size_t i = 0; alive_ && i < results_.size(); ++i) {
    const auto output = static_cast<int>(i);
    if (!context_.IsUsed(output) || context_.FindList(results_[i]) == nullptr) continue;
    LINNET_RETURN_IF_ERROR(context_.KeepAsList(output, lists_[i]));
    keeps_lists = true;
  }
  if (!keeps_lists) return context_.Replace(results_);
  for (size_t i = 0; i < results_.size(); ++i)
    if (context_.FindList(results_[i]) == nullptr)
      context_.ReplaceOutput(static_cast<int>(i), results_[i]);
  return absl::OkStatus();
}

}  // namespace linnet::converter
