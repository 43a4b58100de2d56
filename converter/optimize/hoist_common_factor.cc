// SPDX-License-Identifier: Apache-2.0
// a * x + b * x  =>  x * (a + b)     (a, b scalar constants, or missing: x + x  =>  x * 2)
// x * y + x * z  =>  x * (y + z)     (y, z of x's shape)
// and the same with -. TensorFlow's HoistCommonFactorOutOfAggregation. The products must have a
// single reader. Exact for integers, which wrap; for floats not under strict algebra.
#include "converter/pass/passes.h"

#include <cmath>
#include <utility>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

bool Hoistable(const TensorType& type, const PassContext& context) {
  if (type.dtype == DType::kInt32 || type.dtype == DType::kInt64) return true;
  return type.dtype == DType::kFloat32 && !context.strict();
}

// A term of the sum as x * factor with a one-element constant factor.
struct Term {
  Output x;
  double factor = 1.0;
};

Term MatchTerm(Output value) {
  Node* mul = BinaryProducer(value, BinaryKind::Mul);
  if (mul == nullptr || !HasSingleUse(mul)) return {value};
  const WithConstant parts = SplitSameType(mul);
  if (!parts) return {value};
  const Constant& constant = *ConstantOf(parts.constant);
  if (constant.type.shape.num_elements() != 1) return {value};
  return {parts.value, constant.ScalarValue()};
}

Constant ScalarOf(DType dtype, double value) {
  if (dtype == DType::kInt32) return Constant::Of<int32_t>({}, {static_cast<int32_t>(value)});
  if (dtype == DType::kInt64) return Constant::Of<int64_t>({}, {static_cast<int64_t>(value)});
  return FloatScalar(value);
}

// Integers must stay in the type's range and in the range that doubles represent exactly.
bool IsRepresentable(DType dtype, double value) {
  if (dtype == DType::kFloat32) return std::isfinite(static_cast<float>(value));
  const double limit = dtype == DType::kInt32 ? 2147483647.0 : 9007199254740992.0;
  return std::abs(value) <= limit;
}

// a * x + b * x  =>  x * (a + b)
absl::StatusOr<bool> HoistConstants(Graph& graph, Node* sum, double sign) {
  const Output a = sum->input(0), b = sum->input(1);
  Output x;
  double factor = 0.0;
  for (const Term& left : {Term{a}, MatchTerm(a)})
    for (const Term& right : {Term{b}, MatchTerm(b)})
      if (left.x == right.x) {
        x = left.x;
        factor = left.factor + sign * right.factor;
      }
  if (!x || TypeOf(x) != sum->type()) return false;
  // For x = inf neither x - x nor x * 0 is 0, so a factor of 0 is left as the model has it.
  if (factor == 0.0 || !IsRepresentable(sum->type().dtype, factor)) return false;
  if (ConstantOf(x) != nullptr) return false;  // fold_constants does it
  const Output constant =
      AddConstantLike(graph, *sum, "factor", ScalarOf(sum->type().dtype, factor));
  const BinaryAttrs product{BinaryKind::Mul, sum->attrs<BinaryAttrs>().range};
  return ReplaceWithOp(graph, sum, product, {x, constant});
}

// x * y + x * z  =>  x * (y + z)
absl::StatusOr<bool> HoistTensor(Graph& graph, Node* sum) {
  Node* left = BinaryProducer(sum->input(0), BinaryKind::Mul);
  Node* right = BinaryProducer(sum->input(1), BinaryKind::Mul);
  if (left == right || !HasSingleUse(left) || !HasSingleUse(right)) return false;
  for (int slot = 0; slot < 2; ++slot) {
    const Output x = left->input(slot), y = left->input(1 - slot);
    const std::optional<Output> z = OtherInput(right, x);
    if (!z || TypeOf(x) != sum->type() || TypeOf(y) != sum->type() || TypeOf(*z) != sum->type())
      continue;
    // Keeps the terms' order and the sum's kind; the output range belongs to the product now.
    const auto& [kind, range] = sum->attrs<BinaryAttrs>();
    absl::StatusOr<Output> inner = AddOpLike(graph, *sum, "sum", BinaryAttrs{kind}, {y, *z});
    if (!inner.ok()) return inner.status();
    return ReplaceWithOp(graph, sum, BinaryAttrs{BinaryKind::Mul, range}, {x, *inner});
  }
  return false;
}

}  // namespace

absl::StatusOr<int> HoistCommonFactor(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!node->Is<BinaryAttrs>() || !Hoistable(node->type(), context)) return false;
    const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
    if (kind != BinaryKind::Add && kind != BinaryKind::Sub) return false;
    absl::StatusOr<bool> hoisted =
        HoistConstants(graph, node, kind == BinaryKind::Add ? 1.0 : -1.0);
    if (!hoisted.ok() || *hoisted) return hoisted;
    return HoistTensor(graph, node);
  });
}

}  // namespace linnet::converter
