// SPDX-License-Identifier: Apache-2.0
// BatchMatMul(Softmax(BatchMatMul(q, k^T) * scale + mask), v)
//   =>  Attention(q, k, v, mask) {scale}
// BatchMatMul(Softmax(Select(mask, BatchMatMul(q, k^T) * scale, hidden)), v)
//   =>  Attention(q, k, v, mask) {scale, hidden}
// scale: a constant with equal elements, as a factor or divisor. It, and mask, may be missing.
// hidden: the same, but not NaN.
// Where q, k and v are Transposes of [batch, rows, heads, depth] and the result is transposed back,
// Attention takes the place of the Transposes too; else every matrix is a batch of one head.
// Reshapes that keep matrices may be anywhere in between.
// Nothing else may read what is in between. k and v are computed, because BatchMatMul packs
// constants only once. Without Transposes no extent varies. Not under strict algebra, because the
// Softmax of XNNPACK has other bits.
#include "converter/pass/passes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

using Extents = SymbolicShapes::Extents;

bool SameExtents(const Graph& graph, const Extents& a, const Extents& b) {
  return std::ranges::equal(
      a, b, [&](const Extent& x, const Extent& y) { return graph.shapes().symbols().Equal(x, y); });
}

// Does a Reshape change the leading dimensions only, by which matrices are counted?
bool KeepsMatrices(const Graph& graph, Node* reshape) {
  Extents from = graph.ExtentsOf(reshape->input(0)), to = graph.ExtentsOf({reshape, 0});
  if (from.size() < 2 || to.size() < 2) return false;
  from.erase(from.begin(), from.end() - 2);
  to.erase(to.begin(), to.end() - 2);
  return SameExtents(graph, from, to);
}

// What Reshapes that keep matrices make `value` of. With `alone`, nothing else reads these.
Output WithoutReshapes(const Graph& graph, Output value, bool alone = true) {
  for (;;) {
    Node* node = Producer<ReshapeAttrs>(value);
    if (node == nullptr || !KeepsMatrices(graph, node)) return value;
    if (alone && !HasSingleUse(node)) return value;
    value = node->input(0);
  }
}

// An operand of a product: [.., rows, depth], or [.., depth, rows].
struct Operand {
  Output value;
  bool transposed = false;
};

struct Scores {
  Operand q, k;
  AttentionAttrs attrs;
  Output mask;    // empty: none
  Output masked;  // the scores with it
};

// (x, c) for x * c or x / (1 / c).
std::optional<std::pair<Output, double>> MatchScaledScores(const Node* node) {
  const bool mul = IsBinary(node, BinaryKind::Mul);
  if (!mul && !IsBinary(node, BinaryKind::Div)) return std::nullopt;
  const WithConstant parts = SplitSameType(node);
  if (!parts || (!mul && parts.constant_slot != 1)) return std::nullopt;
  const std::optional<float> c = Splat(parts.constant);
  if (!c) return std::nullopt;
  return std::pair(parts.value, mul ? double{*c} : 1.0 / double{*c});
}

// BatchMatMul(q, k^T), times constants.
std::optional<Scores> MatchProductOfKeys(const Graph& graph, Output value) {
  double scale = 1.0;
  for (;;) {
    value = WithoutReshapes(graph, value);
    if (!HasSingleUse(value.node)) return std::nullopt;
    if (const Node* product = Producer<BatchMatMulAttrs>(value)) {
      const auto& attrs = product->attrs<BatchMatMulAttrs>();
      if (!std::isfinite(static_cast<float>(scale))) return std::nullopt;
      return Scores{.q = {product->input(0), attrs.transpose_a},
                    .k = {product->input(1), !attrs.transpose_b},
                    .attrs = {.scale = static_cast<float>(scale)}};
    }
    const auto scaled = MatchScaledScores(value.node);
    if (!scaled) return std::nullopt;
    scale *= scaled->second;
    value = scaled->first;
  }
}

// The scores of Add(scores, mask), Add(mask, scores).
std::optional<Scores> MatchAdded(const Graph& graph, Output masked) {
  const Node* add = BinaryProducer(masked, BinaryKind::Add);
  for (int slot = 0; add != nullptr && slot < 2; ++slot) {
    if (!graph.SameShape(add->input(slot), masked)) continue;
    std::optional<Scores> scores = MatchProductOfKeys(graph, add->input(slot));
    if (!scores) continue;
    scores->mask = add->input(1 - slot);
    return scores;
  }
  return std::nullopt;
}

// The scores of Select(mask, scores, hidden).
std::optional<Scores> MatchSelected(const Graph& graph, Output masked) {
  const Node* select = Producer<SelectAttrs>(masked);
  if (select == nullptr || !graph.SameShape(select->input(1), masked)) return std::nullopt;
  const std::optional<float> hidden = Splat(select->input(2));
  if (!hidden || std::isnan(*hidden)) return std::nullopt;
  std::optional<Scores> scores = MatchProductOfKeys(graph, select->input(1));
  if (!scores) return std::nullopt;
  scores->mask = select->input(0);
  scores->attrs.hidden = *hidden;
  return scores;
}

std::optional<Scores> MatchScores(const Graph& graph, Output value) {
  if (std::optional<Scores> scores = MatchProductOfKeys(graph, value)) return scores;
  const Output masked = WithoutReshapes(graph, value);
  if (!HasSingleUse(masked.node)) return std::nullopt;
  std::optional<Scores> scores = MatchAdded(graph, masked);
  if (!scores) scores = MatchSelected(graph, masked);
  if (scores) scores->masked = masked;
  return scores;
}

struct AttentionMatch {
  Scores scores;
  Operand v;
};

// The attention that `product` ends.
std::optional<AttentionMatch> MatchAttention(const Graph& graph, const Node* product) {
  if (product->type().dtype != DType::kFloat32) return std::nullopt;
  const auto& attrs = product->attrs<BatchMatMulAttrs>();
  if (attrs.transpose_a) return std::nullopt;
  Node* softmax = Producer<SoftmaxAttrs>(WithoutReshapes(graph, product->input(0)));
  if (!HasSingleUse(softmax) || softmax->attrs<SoftmaxAttrs>().log) return std::nullopt;
  std::optional<Scores> scores = MatchScores(graph, softmax->input(0));
  if (!scores) return std::nullopt;
  const Operand v = {product->input(1), attrs.transpose_b};
  if (ConstantOf(scores->k.value) != nullptr || ConstantOf(v.value) != nullptr) return std::nullopt;
  return AttentionMatch{*scores, v};
}

// The shape of the mask with which it broadcasts to scores of `wanted`, [batch, heads, rows,
// columns].
std::optional<Shape> MaskShape(const Graph& graph, const Scores& scores, const Extents& wanted) {
  if (!scores.mask) return Shape();
  const Shape &mask = TypeOf(scores.mask).shape, &masked = TypeOf(scores.masked).shape;
  // What is the same for all columns hides none.
  if (mask.rank() == 0 || !SameExtents(graph, {graph.ExtentsOf(scores.mask).back()}, {wanted[3]}))
    return std::nullopt;
  if (mask.rank() <= 2) return mask;
  if (SameExtents(graph, graph.ExtentsOf(scores.masked), wanted)) return mask;
  if (graph.Varies(scores.mask) || graph.Varies(scores.masked)) return std::nullopt;
  const int leading = mask.rank() - 2;
  Shape shape = {1, 1, mask[leading], mask.back()};
  if (mask.Product(0, leading) == 1) return shape;
  if (mask.Product(0, leading) != masked.Product(0, masked.rank() - 2)) return std::nullopt;
  for (int i = 0; i < 2; ++i)
    shape[i] = graph.shapes().symbols().Max(wanted[static_cast<size_t>(i)]);
  return shape;
}

absl::StatusOr<Output> WithShape(Graph& graph, const Node& like, Output value, const Shape& shape) {
  if (TypeOf(value).shape == shape) return value;
  const Constant* constant = ConstantOf(value);
  if (constant == nullptr) return AddOpLike(graph, like, "matrices", ReshapeAttrs{shape}, {value});
  Constant reshaped = *constant;
  reshaped.type.shape = shape;
  return AddConstantLike(graph, like, "matrices", std::move(reshaped));
}

absl::StatusOr<Output> AddAttention(Graph& graph, const Node& like, const Scores& scores,
                                    std::vector<Output> inputs, const Shape& mask_shape) {
  if (scores.mask) {
    absl::StatusOr<Output> mask = WithShape(graph, like, scores.mask, mask_shape);
    if (!mask.ok()) return mask;
    inputs.push_back(*mask);
  }
  return AddOpLike(graph, like, "attention", scores.attrs, inputs);
}

// [batch, rows, heads, depth] that a Transpose makes the operand of.
Output BeforeTranspose(const Graph& graph, const Operand& operand) {
  const Node* transpose =
      Producer<TransposeAttrs>(WithoutReshapes(graph, operand.value, /*alone=*/false));
  const Shape perm = operand.transposed ? Shape{0, 2, 3, 1} : Shape{0, 2, 1, 3};
  return transpose != nullptr && transpose->attrs<TransposeAttrs>().perm == perm
             ? transpose->input(0)
             : Output{};
}

// `root` transposes heads behind rows.
absl::StatusOr<bool> FuseWithTransposes(Graph& graph, Node* root) {
  if (root->attrs<TransposeAttrs>().perm != Shape{0, 2, 1, 3}) return false;
  Node* product = Producer<BatchMatMulAttrs>(WithoutReshapes(graph, root->input(0)));
  if (!HasSingleUse(product)) return false;
  const std::optional<AttentionMatch> match = MatchAttention(graph, product);
  if (!match) return false;
  const Scores& scores = match->scores;
  const std::vector<Output> inputs = {BeforeTranspose(graph, scores.q),
                                      BeforeTranspose(graph, scores.k),
                                      BeforeTranspose(graph, match->v)};
  const Extents out = graph.ExtentsOf({root, 0});
  for (const Output input : inputs) {
    if (!input) return false;
    const Extents in = graph.ExtentsOf(input);
    if (!SameExtents(graph, {in[0], in[2]}, {out[0], out[2]})) return false;
  }
  const std::optional<Shape> mask =
      MaskShape(graph, scores, {out[0], out[2], out[1], graph.ExtentsOf(inputs[1])[1]});
  if (!mask) return false;
  const absl::StatusOr<Output> attention = AddAttention(graph, *root, scores, inputs, *mask);
  if (!attention.ok()) return attention.status();
  Absorb(graph, root, attention->node);
  return true;
}

// Shape [matrices, rows, 1, depth] of [.., rows, depth].
Shape OneHead(Output value) {
  const Shape& shape = TypeOf(value).shape;
  const int leading = shape.rank() - 2;
  return {shape.Product(0, leading), shape[leading], 1, shape.back()};
}

// `root` is the second product.
absl::StatusOr<bool> FuseMatrices(Graph& graph, Node* root) {
  const std::optional<AttentionMatch> match = MatchAttention(graph, root);
  if (!match || IsNearVarying(graph, *root)) return false;
  const Operand operands[] = {match->scores.q, match->scores.k, match->v};
  for (const Operand& operand : operands)
    if (operand.transposed || graph.Varies(operand.value) ||
        OneHead(operand.value)[0] != root->type().shape.Product(0, root->type().shape.rank() - 2))
      return false;
  const Shape q = OneHead(operands[0].value), k = OneHead(operands[1].value);
  const std::optional<Shape> mask = MaskShape(graph, match->scores, {q[0], 1, q[1], k[1]});
  if (!mask) return false;
  std::vector<Output> inputs;
  for (const Operand& operand : operands) {
    const auto input = WithShape(graph, *root, operand.value, OneHead(operand.value));
    if (!input.ok()) return input.status();
    inputs.push_back(*input);
  }
  const absl::StatusOr<Output> attention = AddAttention(graph, *root, match->scores, inputs, *mask);
  if (!attention.ok()) return attention.status();
  return ReplaceWithOp(graph, root, ReshapeAttrs{root->type().shape}, {*attention});
}

}  // namespace

absl::StatusOr<int> FuseAttention(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  absl::StatusOr<int> with = RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    return node->Is<TransposeAttrs>() ? FuseWithTransposes(graph, node) : false;
  });
  if (!with.ok()) return with;
  absl::StatusOr<int> rest = RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    return node->Is<BatchMatMulAttrs>() ? FuseMatrices(graph, node) : false;
  });
  if (!rest.ok()) return rest;
  return *with + *rest;
}

}  // namespace linnet::converter
