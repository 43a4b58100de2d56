// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/activations.h"

#include <limits>

#include "absl/strings/ascii.h"
#include "converter/legalize/context/building_blocks.h"
#include "runtime/ops/prelu.h"

namespace linnet::converter {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

OutputRange RangeOf(Activation activation) {
  if (activation == Activation::kRelu) return {0.0f, kInfinity};
  if (activation == Activation::kRelu6) return {0.0f, 6.0f};
  return {};
}

// Clamp only takes floats; integers take a Maximum and a Minimum.
Emitted EmitRelu(LegalizeContext& context, OutputRange range, const Emitted& x,
                 std::string_view suffix) {
  if (!x.ok() || !IsInteger(context.type(*x).dtype)) return EmitClamp(context, range, x, suffix);
  if (range.max == kInfinity) return EmitBinary(context, BinaryKind::Maximum, x, 0.0, suffix);
  const Emitted low = EmitBinary(context, BinaryKind::Maximum, x, 0.0, "Maximum");
  return EmitBinary(context, BinaryKind::Minimum, low, range.max, suffix);
}

std::optional<Activation> FindActivation(const std::string& name) {
  if (name == "relu") return Activation::kRelu;
  if (name == "relu6") return Activation::kRelu6;
  if (name == "elu") return Activation::kElu;
  if (name == "leakyrelu") return Activation::kLeakyRelu;
  if (name == "sigmoid") return Activation::kSigmoid;
  if (name == "tanh") return Activation::kTanh;
  return std::nullopt;
}

// Returns input *next, one of those after x and filter, and goes on to the next.
Emitted TakeInput(const LegalizeContext& context, const char* what, int* next) {
  if (*next >= context.num_inputs())
    return Invalid("has {} inputs: the {} that attr 'fused_ops' promises is missing",
                   context.num_inputs(), what);
  return context.input((*next)++);
}

absl::StatusOr<BatchNorm> TakeBatchNorm(const LegalizeContext& context, int* next) {
  BatchNorm norm;
  LINNET_ASSIGN_OR_RETURN(norm.scale, TakeInput(context, "scale", next));
  LINNET_ASSIGN_OR_RETURN(norm.offset, TakeInput(context, "offset", next));
  LINNET_ASSIGN_OR_RETURN(norm.mean, TakeInput(context, "mean", next));
  LINNET_ASSIGN_OR_RETURN(norm.variance, TakeInput(context, "variance", next));
  LINNET_ASSIGN_OR_RETURN(norm.epsilon, context.Float("epsilon", 1e-4f));
  return norm;
}

}  // namespace

Emitted EmitActivation(LegalizeContext& context, Activation activation, float alpha,
                       const Emitted& x, std::string_view suffix) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
    case Activation::kRelu6:
      return EmitRelu(context, RangeOf(activation), x, suffix);
    case Activation::kElu:
      return EmitUnary(context, UnaryKind::Elu, x, suffix);
    case Activation::kSigmoid:
      return EmitUnary(context, UnaryKind::Sigmoid, x, suffix);
    case Activation::kTanh:
      return EmitUnary(context, UnaryKind::Tanh, x, suffix);
    case Activation::kLeakyRelu:
      break;
  }
  return context.Emit(UnaryAttrs{.kind = UnaryKind::LeakyRelu, .alpha = alpha}, {x}, suffix);
}

OutputRange FusedTail::range() const {
  return batch_norm || prelu_alpha ? OutputRange() : RangeOf(activation);
}

absl::StatusOr<FusedTail> GetFusedTail(const LegalizeContext& context) {
  FusedTail tail;
  LINNET_ASSIGN_OR_RETURN(const std::vector<std::string> names, context.Strings("fused_ops"));
  LINNET_ASSIGN_OR_RETURN(tail.leaky_alpha, context.Float("leakyrelu_alpha", 0.2f));
  int next = 2;
  bool activated = false;
  for (size_t i = 0; i < names.size(); ++i) {
    // Grappler writes "BiasAdd", tfjs "biasadd".
    const std::string name = absl::AsciiStrToLower(names[i]);
    const auto activation = FindActivation(name);
    if (name == "biasadd" && i == 0) {
      LINNET_ASSIGN_OR_RETURN(tail.bias, TakeInput(context, "bias", &next));
    } else if (name == "fusedbatchnorm" && i == 0) {
      LINNET_ASSIGN_OR_RETURN(tail.batch_norm, TakeBatchNorm(context, &next));
    } else if (name == "prelu" && !activated) {
      LINNET_ASSIGN_OR_RETURN(tail.prelu_alpha, TakeInput(context, "Prelu slope", &next));
      activated = true;
    } else if (activation && !activated) {
      tail.activation = *activation;
      activated = true;
    } else {
      return Unsupported("attr 'fused_ops' is [{}]: cannot run '{}' at position {}",
                         fmt::join(names, ","), names[i], i);
    }
  }
  if (next != context.num_inputs())
    return Invalid("has {} inputs, more than attr 'fused_ops' [{}] uses", context.num_inputs(),
                   fmt::join(names, ","));
  if (tail.bias && context.shape(*tail.bias).rank() != 1)
    return Invalid("bias has shape {}, want rank 1", ShapeText(context.shape(*tail.bias)));
  return tail;
}

Emitted EmitFusedTail(LegalizeContext& context, const FusedTail& tail, Emitted x,
                      std::string_view suffix) {
  const bool activates = tail.prelu_alpha || tail.activation != Activation::kNone;
  if (tail.batch_norm)
    x = EmitBatchNorm(context, x, *tail.batch_norm, activates ? "FusedBatchNorm" : suffix);
  if (tail.prelu_alpha) return context.Emit(PreluAttrs(), {x, *tail.prelu_alpha}, suffix);
  if (!tail.range().unbounded()) return x;
  return EmitActivation(context, tail.activation, tail.leaky_alpha, x, suffix);
}

}  // namespace linnet::converter
