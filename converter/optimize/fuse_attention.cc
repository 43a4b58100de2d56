// SPDX-License-Identifier: Apache-2.0
// BatchMatMul(Softmax(BatchMatMul(q, k^T) * scale + mask), v)
//   =>  Attention(q, k, v, mask) {scale}
// BatchMatMul(Softmax(Select(mask, BatchMatMul(q, k^T) * scale, hidden)), v)
//   =>  Attention(q, k, v, mask) {scale, hidden}
// scale: a constant with equal elements, as a factor or divisor. It may be missing.
// mask: up to kMaxAttentionMasks of both kinds, one after the other, or none. hidden: as scale, but
// not NaN, and the same for all.
// Where q, k and v are Transposes of [batch, rows, heads, depth] and the result is transposed back,
// Attention takes the place of the Transposes too, and of what repeats each head of k and v for
// several of q, before or behind these; else every matrix is a batch of one head.
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
#include "converter/optimize/match_repeats.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {

using Extents = SymbolicShapes::Extents;

namespace {

// Does a Reshape change the leading dimensions only, by which matrices are counted?
bool KeepsMatrices(const Graph& graph, Node* reshape) {
  Extents from = graph.ExtentsOf(reshape->input(0)), to = graph.ExtentsOf({reshape, 0});
  if (from.size() < 2 || to.size() < 2) return false;
  from.erase(from.begin(), from.end() - 2);
  to.erase(to.begin(), to.end() - 2);
  return SameExtents(graph, from, to);
}

// The Reshape that makes `value` and keeps matrices, or null.
Node* MatrixReshape(const Graph& graph, Output value) {
  Node* node = Producer<ReshapeAttrs>(value);
  return node != nullptr && KeepsMatrices(graph, node) ? node : nullptr;
}

// What Reshapes that keep matrices make `value` of. With `alone`, nothing else reads these.
Output WithoutReshapes(const Graph& graph, Output value, bool alone = true) {
  for (;;) {
    const Node* reshape = MatrixReshape(graph, value);
    if (reshape == nullptr || (alone && !HasSingleUse(reshape))) return value;
    value = reshape->input(0);
  }
}

// An operand of a product: [.., rows, depth], or [.., depth, rows].
struct Operand {
  Output value;
  bool transposed = false;
  Node* product = nullptr;
};

// Does each matrix of `operand` serve matrices of the product that follow each other? BatchMatMul
// may repeat others.
bool ServesNeighbours(const Graph& graph, const Operand& operand) {
  const Extents all = graph.ExtentsOf({operand.product, 0}), of = graph.ExtentsOf(operand.value);
  const size_t leading = all.size() - 2, missing = all.size() - of.size();
  bool repeats = false;  // from here on
  for (size_t i = 0; i < leading; ++i) {
    const Extent extent = i < missing ? Extent(1) : of[i - missing];
    if (!repeats && SameExtents(graph, {extent}, {all[i]})) continue;
    if (!SameExtents(graph, {extent}, {Extent(1)})) return false;
    repeats = true;
  }
  return true;
}

struct Mask {
  Output value;
  Output masked;  // the scores with it
};

struct Scores {
  Operand q, k;
  AttentionAttrs attrs;
  std::vector<Mask> masks;  // in the order in which they are applied
  bool selects = false;     // by one of the masks, so that attrs.hidden counts
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
    if (Node* product = Producer<BatchMatMulAttrs>(value)) {
      const auto& attrs = product->attrs<BatchMatMulAttrs>();
      if (!std::isfinite(static_cast<float>(scale))) return std::nullopt;
      return Scores{.q = {product->input(0), attrs.transpose_a, product},
                    .k = {product->input(1), !attrs.transpose_b, product},
                    .attrs = {.scale = static_cast<float>(scale)}};
    }
    const auto scaled = MatchScaledScores(value.node);
    if (!scaled) return std::nullopt;
    scale *= scaled->second;
    value = scaled->first;
  }
}

std::optional<Scores> MatchScores(const Graph& graph, Output value, int masks);

// The scores of Add(scores, mask), Add(mask, scores).
std::optional<Scores> MatchAdded(const Graph& graph, Output masked, int masks) {
  const Node* add = BinaryProducer(masked, BinaryKind::Add);
  for (int slot = 0; add != nullptr && slot < 2; ++slot) {
    if (!graph.SameShape(add->input(slot), masked)) continue;
    std::optional<Scores> scores = MatchScores(graph, add->input(slot), masks - 1);
    if (!scores) continue;
    scores->masks.push_back({add->input(1 - slot), masked});
    return scores;
  }
  return std::nullopt;
}

// The scores of Select(mask, scores, hidden).
std::optional<Scores> MatchSelected(const Graph& graph, Output masked, int masks) {
  const Node* select = Producer<SelectAttrs>(masked);
  if (select == nullptr || !graph.SameShape(select->input(1), masked)) return std::nullopt;
  const std::optional<float> hidden = Splat(select->input(2));
  if (!hidden || std::isnan(*hidden)) return std::nullopt;
  std::optional<Scores> scores = MatchScores(graph, select->input(1), masks - 1);
  if (!scores || (scores->selects && scores->attrs.hidden != *hidden)) return std::nullopt;
  scores->masks.push_back({select->input(0), masked});
  scores->attrs.hidden = *hidden;
  scores->selects = true;
  return scores;
}

// Scores with up to `masks` masks.
std::optional<Scores> MatchScores(const Graph& graph, Output value, int masks) {
  if (std::optional<Scores> scores = MatchProductOfKeys(graph, value)) return scores;
  const Output masked = WithoutReshapes(graph, value);
  if (masks == 0 || !HasSingleUse(masked.node)) return std::nullopt;
  std::optional<Scores> scores = MatchAdded(graph, masked, masks);
  return scores ? scores : MatchSelected(graph, masked, masks);
}

struct AttentionMatch {
  Scores scores;
  Operand v;
};

// The attention that `product` ends.
std::optional<AttentionMatch> MatchAttention(const Graph& graph, Node* product) {
  if (product->type().dtype != DType::kFloat32) return std::nullopt;
  const auto& attrs = product->attrs<BatchMatMulAttrs>();
  if (attrs.transpose_a) return std::nullopt;
  Node* softmax = Producer<SoftmaxAttrs>(WithoutReshapes(graph, product->input(0)));
  if (!HasSingleUse(softmax) || softmax->attrs<SoftmaxAttrs>().log) return std::nullopt;
  std::optional<Scores> scores = MatchScores(graph, softmax->input(0), kMaxAttentionMasks);
  if (!scores) return std::nullopt;
  const Operand v = {product->input(1), attrs.transpose_b, product};
  if (ConstantOf(scores->k.value) != nullptr || ConstantOf(v.value) != nullptr) return std::nullopt;
  return AttentionMatch{*scores, v};
}

// The shape of a mask with which it broadcasts to scores of `wanted`, [batch, heads, rows,
// columns].
std::optional<Shape> MaskShape(const Graph& graph, const Mask& of, const Extents& wanted) {
  const Shape &mask = TypeOf(of.value).shape, &masked = TypeOf(of.masked).shape;
  // What is the same for all columns hides none.
  if (mask.rank() == 0 || !SameExtents(graph, {graph.ExtentsOf(of.value).back()}, {wanted[3]}))
    return std::nullopt;
  if (mask.rank() <= 2) return mask;
  if (SameExtents(graph, graph.ExtentsOf(of.masked), wanted)) return mask;
  if (graph.Varies(of.value) || graph.Varies(of.masked)) return std::nullopt;
  const int leading = mask.rank() - 2;
  Shape shape = {1, 1, mask[leading], mask.back()};
  if (mask.Product(0, leading) == 1) return shape;
  if (mask.Product(0, leading) != masked.Product(0, masked.rank() - 2)) return std::nullopt;
  for (int i = 0; i < 2; ++i)
    shape[i] = graph.shapes().symbols().Max(wanted[static_cast<size_t>(i)]);
  return shape;
}

// The shape of each mask, or nothing if one has none.
std::optional<std::vector<Shape>> MaskShapes(const Graph& graph, const Scores& scores,
                                             const Extents& wanted) {
  std::vector<Shape> shapes;
  for (const Mask& mask : scores.masks) {
    const std::optional<Shape> shape = MaskShape(graph, mask, wanted);
    if (!shape) return std::nullopt;
    shapes.push_back(*shape);
  }
  return shapes;
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
                                    std::vector<Output> inputs,
                                    const std::vector<Shape>& mask_shapes) {
  for (size_t i = 0; i < mask_shapes.size(); ++i) {
    absl::StatusOr<Output> mask = WithShape(graph, like, scores.masks[i].value, mask_shapes[i]);
    if (!mask.ok()) return mask;
    inputs.push_back(*mask);
  }
  return AddOpLike(graph, like, "attention", scores.attrs, inputs);
}

// What Reshapes that keep matrices make `value` of. Heads that are repeated there, [batch, heads,
// .., ..], are so only once.
Output WithoutRepeatedHeads(const Graph& graph, Output value) {
  for (;;) {
    if (TypeOf(value).shape.rank() == 4) {
      const Shaped once = WithoutRepeats(graph, value, 1);
      if (once.value != value && once.shape == TypeOf(once.value).shape)
        return WithoutReshapes(graph, once.value, /*alone=*/false);
    }
    const Node* reshape = MatrixReshape(graph, value);
    if (reshape == nullptr) return value;
    value = reshape->input(0);
  }
}

// [batch, rows, heads, depth] that a Transpose makes the operand of. With `repeats` it may have
// fewer heads, which are repeated before or behind the Transpose.
std::optional<Shaped> BeforeTranspose(const Graph& graph, const Operand& operand, bool repeats) {
  const Node* transpose =
      Producer<TransposeAttrs>(repeats ? WithoutRepeatedHeads(graph, operand.value)
                                       : WithoutReshapes(graph, operand.value, /*alone=*/false));
  const Shape perm = operand.transposed ? Shape{0, 2, 3, 1} : Shape{0, 2, 1, 3};
  if (transpose == nullptr || transpose->attrs<TransposeAttrs>().perm != perm) return std::nullopt;
  const Output x = transpose->input(0);
  return repeats ? WithoutRepeats(graph, x, 2) : AsItIs(x);
}

// The extents of a value once it has its shape.
Extents ExtentsOf(const Graph& graph, const Shaped& shaped) {
  if (TypeOf(shaped.value).shape == shaped.shape) return graph.ExtentsOf(shaped.value);
  return {shaped.shape.begin(), shaped.shape.end()};
}

// Do k and v, [.., heads, depth], have equally many heads, which divide those of q?
bool DivideHeads(const Graph& graph, const Extents& q, const Extents& k, const Extents& v) {
  if (!SameExtents(graph, {k[2]}, {v[2]})) return false;
  if (SameExtents(graph, {q[2]}, {k[2]})) return true;
  const Extent heads[] = {q[2], k[2]};
  if (!AllConstant(heads)) return false;
  const SymbolTable& symbols = graph.shapes().symbols();
  return symbols.Max(k[2]) > 0 && symbols.Max(q[2]) % symbols.Max(k[2]) == 0;
}

// `root` transposes heads behind rows.
absl::StatusOr<bool> FuseWithTransposes(Graph& graph, Node* root) {
  if (root->attrs<TransposeAttrs>().perm != Shape{0, 2, 1, 3}) return false;
  Node* product = Producer<BatchMatMulAttrs>(WithoutReshapes(graph, root->input(0)));
  if (!HasSingleUse(product)) return false;
  const std::optional<AttentionMatch> match = MatchAttention(graph, product);
  if (!match) return false;
  const Scores& scores = match->scores;
  const auto before_q = BeforeTranspose(graph, scores.q, /*repeats=*/false),
             before_k = BeforeTranspose(graph, scores.k, /*repeats=*/true),
             before_v = BeforeTranspose(graph, match->v, /*repeats=*/true);
  if (!before_q || !before_k || !before_v || !ServesNeighbours(graph, scores.k) ||
      !ServesNeighbours(graph, match->v))
    return false;
  const Extents out = graph.ExtentsOf({root, 0}), q = ExtentsOf(graph, *before_q),
                k = ExtentsOf(graph, *before_k), v = ExtentsOf(graph, *before_v);
  if (!SameExtents(graph, {q[0], k[0], v[0], q[2]}, {out[0], out[0], out[0], out[2]}) ||
      !DivideHeads(graph, q, k, v))
    return false;
  const std::optional<std::vector<Shape>> masks =
      MaskShapes(graph, scores, {out[0], out[2], out[1], k[1]});
  if (!masks) return false;
  std::vector<Output> inputs;
  for (const Shaped& input : {*before_q, *before_k, *before_v}) {
    const auto shaped = WithShape(graph, *root, input.value, input.shape);
    if (!shaped.ok()) return shaped.status();
    inputs.push_back(*shaped);
  }
  const absl::StatusOr<Output> attention = AddAttention(graph, *root, scores, inputs, *masks);
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
  const std::optional<std::vector<Shape>> masks =
      MaskShapes(graph, match->scores, {q[0], 1, q[1], k[1]});
  if (!masks) return false;
  std::vector<Output> inputs;
  for (const Operand& operand : operands) {
    const auto input = WithShape(graph, *root, operand.value, OneHead(operand.value));
    if (!input.ok()) return input.status();
    inputs.push_back(*input);
  }
  const absl::StatusOr<Output> attention =
      AddAttention(graph, *root, match->scores, inputs, *masks);
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
