// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/control_flow/loop_results.h"

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/varying.h"

namespace linnet::converter {
Emitted EmitChoice(LegalizeContext& context, const Emitted& condition, Output a, const Emitted& b,
                   const std::string& suffix) {
  if (!b.ok() || a == *b) return b;
  if (!a.node->HasType(a.index) || !b->node->HasType(b->index))
    return Unsupported("the model's input chooses between lists");
  if (context.type(a) != context.type(*b))
    return Unsupported("the model's input chooses between results of shapes {} and {}",
                       ShapeText(context.shape(a)), ShapeText(context.shape(*b)));
  LINNET_ASSIGN_OR_RETURN(const Output chosen, EmitSelect(context, condition, a, b, suffix));
  // Select broadcasts, which a choice does not. Emitting it may have found extents to be equal.
  for (const Output result : {a, *b})
    if (!HasExtents(context, chosen, context.extents(result)))
      return Unsupported("the model's input chooses between results of shapes {} and {}",
                         context.symbols().Text(context.extents(a)),
                         context.symbols().Text(context.extents(*b)));
  return chosen;
}

LoopResults::LoopResults(LegalizeContext& context, std::vector<Output> initial)
    : context_(context), results_(std::move(initial)) {}

absl::Status LoopResults::GoOnOnlyIf(Output condition, int iteration) {
  ++uncertain_;
  Emitted alive = condition;
  if (alive_)
    alive = EmitBinary(context_, BinaryKind::LogicalAnd, alive_, condition,
                       fmt::format("{}/alive", iteration));
  LINNET_ASSIGN_OR_RETURN(alive_, alive);
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
    LINNET_ASSIGN_OR_RETURN(results_[i],
                            EmitChoice(context_, alive_, next[i], results_[i], suffix));
  }
  return absl::OkStatus();
}

absl::Status LoopResults::Replace() { return context_.Replace(results_); }

}  // namespace linnet::converter
