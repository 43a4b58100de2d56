// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "converter/graph/graph.h"
#include "runtime/ops/all_attrs.h"

// Predicates and matchers that patterns over Linnet ops are made of. An argument that may be null
// (an Output or a pointer to a Node) never matches when it is.
namespace linnet::converter {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

// REQUIRES: `value` is not empty.
inline const TensorType& TypeOf(Output value) { return value.node->type(value.index); }

// --- Constants.
// The constant that `value` is, or null when it is computed.
const Constant* ConstantOf(Output value);
// The value that all elements of an f32 constant share (a scalar, or [1,1,1,C] of equal values).
std::optional<float> Splat(Output value);
// Is `value` a Splat within 1e-6 (relative) of `want`? The tolerance covers constants that
// exporters rounded, such as 1/sqrt(2).
bool IsSplat(Output value, double want);
// The elements of an f32 constant in any encoding, as doubles.
std::vector<double> ElementsOf(const Constant& constant);
// An f32 constant from doubles, each rounded once.
Constant FloatConstant(const Shape& shape, const std::vector<double>& elements);
Constant FloatScalar(double value);
bool AllFinite(const std::vector<double>& values);

// Does f32 `constant` broadcast against `type` without enlarging it, and vary along the last
// dimension at most ([], [1], [C], [1,1,1,C])?
bool IsPerChannel(const Constant& constant, const TensorType& type);
// Real layers have fewer channels. The bound keeps a scalar that an untrusted model combines with a
// huge tensor from becoming as many elements.
inline constexpr int64_t kMaxChannels = int64_t{1} << 20;
// One value for each channel (index of the last dimension) of `type`; nothing when `constant` is
// not IsPerChannel or there are more than kMaxChannels.
std::optional<std::vector<double>> ChannelValues(const Constant& constant, const TensorType& type);

// Does an extent of the node, of a producer or of a producer's producer vary from run to run?
// Rewrites that compute shapes from shapes leave such nodes alone, because types hold only the
// largest extents.
bool IsNearVarying(const Graph& graph, const Node& node);

// --- Producers.
// The node that computes `value` if it is the op with these attributes, else null.
template <typename Attrs>
Node* Producer(Output value) {
  return value && value.node->Is<Attrs>() ? value.node : nullptr;
}
Node* BinaryProducer(Output value, BinaryKind kind);  // with an unbounded range
Node* UnaryProducer(Output value, UnaryKind kind);
// A reduction over the last axis alone that keeps dimensions.
Node* RowReductionProducer(Output value, ReduceKind kind);
bool IsBinary(const Node* node, BinaryKind kind);  // with an unbounded range
bool IsUnary(const Node* node, UnaryKind kind);
// Does `node` have one output, and does exactly one data edge read it (a graph output is a read)?
bool HasSingleUse(const Node* node);
bool IsF32(Output value);

// The inputs of a binary node as (computed, constant); empty when none or both are constant.
struct WithConstant {
  Output value, constant;
  int constant_slot = 1;
  explicit operator bool() const { return static_cast<bool>(value); }
};
WithConstant SplitConstant(const Node* binary);
// SplitConstant, but also empty when the node's type is not that of `value` (the constant enlarges
// it).
WithConstant SplitSameType(const Node* binary);
// The other input of a binary node that has `one` as an input.
std::optional<Output> OtherInput(const Node* binary, Output one);

// x for max(x, 0) as Clamp [0, inf] or as Maximum with 0.
std::optional<Output> MatchRelu(Output value);
// x for clamp(x + 3, 0, 6): Clamp over Add, Add with that range.
std::optional<Output> MatchRelu6Plus3(Output value);
// x for x * x, as Square or as Mul; else empty.
Output MatchSquare(Output value);

// Mean over the last axis (dimensions kept) plus a constant of at least 0: what a norm takes the
// root of. Each of the two nodes is read once.
struct MeanPlusEpsilon {
  const Node* mean = nullptr;
  float epsilon = 0.0f;
  explicit operator bool() const { return mean != nullptr; }
};
MeanPlusEpsilon MatchMeanPlusEpsilon(Output value);

// A product written as scale * factors[0] * factors[1] ..., looking through Mul, Div by a scalar
// constant, and Neg, as long as the inner nodes have no other reader. Without factors when the root
// is none of these.
struct Product {
  double scale = 1.0;
  std::vector<Output> factors;
  std::vector<const Node*> nodes;  // the nodes looked through, the root first
};
Product FlattenProduct(Node* root, int max_depth = 4);

// --- Convolutions and matrix products: inputs (x, filter[, bias]) and an output range.
bool IsConvLike(const Node* node);  // Conv2D, DepthwiseConv2D, TransposeConv2D, FullyConnected
// The output range of an op that has one (conv-like, Pool2D, Binary, Clamp), else null. The pointer
// is valid until the node's attributes are replaced.
OutputRange* MutableRange(Node* node);
const OutputRange* RangeOf(const Node* node);
// The range of clamping to `first`, then to `second`.
OutputRange Compose(const OutputRange& first, const OutputRange& second);

// Is it certain that no element is below zero (NaN aside)? Follows ops that only move elements,
// sums and products up to max_depth nodes upstream.
bool IsNonNegative(Output value, int max_depth = 8);

}  // namespace linnet::converter
