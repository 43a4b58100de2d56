// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "converter/legalize/context/legalize_context.h"
#include "converter/legalize/ops/batch_norm.h"
#include "runtime/ops/output_range.h"

namespace linnet::converter {

enum class Activation { kNone, kRelu, kRelu6, kElu, kLeakyRelu, kSigmoid, kTanh };

// `alpha` is the slope of LeakyRelu. kNone gives x itself.
Emitted EmitActivation(LegalizeContext& context, Activation activation, float alpha,
                       const Emitted& x, std::string_view suffix = "");

// What grappler or tfjs fused onto a convolution or matrix product: attribute fused_ops and the
// inputs after x and filter.
struct FusedTail {
  std::optional<Output> bias;  // [channels]
  std::optional<BatchNorm> batch_norm;
  std::optional<Output> prelu_alpha;
  Activation activation = Activation::kNone;
  float leaky_alpha = 0.2f;

  // The activation, where it is a range to which the op itself clamps its result; else unbounded.
  OutputRange range() const;
  // Is there more than the bias and range(), which the op itself takes?
  bool HasMore() const {
    return batch_norm || prelu_alpha || (activation != Activation::kNone && range().unbounded());
  }
};
// Reads the attributes of a fused op. Empty for ops without fused_ops.
absl::StatusOr<FusedTail> GetFusedTail(const LegalizeContext& context);
// Emits what HasMore() is about. `x` is the result of the op and has its channels last.
Emitted EmitFusedTail(LegalizeContext& context, const FusedTail& tail, Emitted x,
                      std::string_view suffix);

}  // namespace linnet::converter
