// SPDX-License-Identifier: Apache-2.0
// x ** 2  =>  Square(x)             x ** 0.5   =>  Sqrt(x)
// x ** -1  =>  Reciprocal(x)        x ** -0.5  =>  Rsqrt(x)
// x ** 3  =>  x * Square(x)
// (f32, a uniform constant that does not enlarge x). TensorFlow's ConvertPow. Under strict algebra
// only Square and Reciprocal, which round once as Pow does: cubes and Rsqrt round twice, and the
// root of -0 is -0, not 0, and that of -inf no number.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

struct Power {
  float exponent;
  UnaryKind kind;
  bool exact;
};
constexpr Power kPowers[] = {{2.0f, UnaryKind::Square, true},
                             {-1.0f, UnaryKind::Reciprocal, true},
                             {0.5f, UnaryKind::Sqrt, false},
                             {-0.5f, UnaryKind::Rsqrt, false}};

}  // namespace

absl::StatusOr<int> SimplifyPow(Graph& graph, const PassContext& context) {
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (!IsBinary(node, BinaryKind::Pow)) return false;
    const WithConstant parts = SplitSameType(node);
    if (!parts || parts.constant_slot != 1 || !node->attrs<BinaryAttrs>().range.unbounded())
      return false;
    const std::optional<float> exponent = Splat(parts.constant);  // of f32 only
    if (!exponent) return false;
    for (const Power& power : kPowers) {
      if (*exponent == power.exponent && (power.exact || !context.strict()))
        return ReplaceWithOp(graph, node, UnaryAttrs{power.kind}, {parts.value});
    }
    if (*exponent != 3.0f || context.strict()) return false;
    const absl::StatusOr<Output> square =
        AddOpLike(graph, *node, "square", UnaryAttrs{UnaryKind::Square}, {parts.value});
    if (!square.ok()) return square.status();
    return ReplaceWithOp(graph, node, BinaryAttrs{BinaryKind::Mul}, {parts.value, *square});
  });
}

}  // namespace linnet::converter
