// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "converter/graph/graph.h"
#include "runtime/ops/all_attrs.h"

// Small questions that patterns over Linnet ops are made of. All are null-safe: an empty Output or
// a null Node is simply not what was asked for.
namespace linnet::converter {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

// --- Constants.
// The value behind `value`, or null when it is computed.
const Constant* ConstantOf(Output value);
// The one value that all elements of an f32 constant have (a scalar, or [1,1,1,C] of equal values).
std::optional<float> Splat(Output value);
// Splat for factors and terms of patterns: within 1e-6 relative of `want`, which absorbs the
// rounding of exporters (1/sqrt(2) and such) and nothing coarser.
bool IsSplat(Output value, double want);
// f32 elements of a constant of any encoding, as doubles; `value` must be constant and f32.
std::vector<double> ElementsOf(const Constant& value);
// An f32 constant from doubles, rounded once.
Constant FloatConstant(const Shape& shape, const std::vector<double>& elements);
Constant FloatScalar(double value);

// Does `constant` broadcast against `type` without enlarging it, varying along the last dimension
// at most ([], [1], [C], [1,1,1,C])?
bool IsPerChannel(const Constant& constant, const TensorType& type);
// The values of such a constant spread over the last dimension of `type`.
std::vector<double> PerChannel(const Constant& constant, const TensorType& type);
// Layers have no more. Where there are more, nothing is spread over them.
inline constexpr int64_t kMostChannels = int64_t{1} << 20;
// IsPerChannel, of no more than these: a scalar becomes as many elements.
bool HasFewPerChannel(const Constant& constant, const TensorType& type);
// Does `shape` broadcast to `to` and leave it as it is?
bool BroadcastsInto(const Shape& shape, const Shape& to);

// Does an extent of the node, or of what it is computed from in two steps, vary? Rewrites that
// compute shapes from shapes stay away then, as types have only the largest extents.
bool IsNearVarying(const Graph& graph, const Node& node);

// --- Producers.
// The node that computes `value` if it is an op with these attributes, else null.
template <typename Attrs>
Node* Producer(Output value) {
  return value && value.node->Is<Attrs>() ? value.node : nullptr;
}
Node* BinaryProducer(Output value, BinaryKind kind);  // with an unbounded range
Node* UnaryProducer(Output value, UnaryKind kind);
Node* ReduceProducer(Output value, ReduceKind kind);
bool IsBinary(const Node* node, BinaryKind kind);  // with an unbounded range
bool IsUnary(const Node* node, UnaryKind kind);
// Is `node` read exactly once (a graph output is a read)?
bool HasSingleUse(const Node* node);
bool IsF32(Output value);

// The inputs of a binary node as (not constant, constant); empty when none or both are constant.
struct WithConstant {
  Output value, constant;
  int constant_slot = 1;
  explicit operator bool() const { return static_cast<bool>(value); }
};
WithConstant SplitConstant(const Node* binary);
// For a binary node over `one` and something else: that something else.
std::optional<Output> OtherInput(const Node* binary, Output one);

// x for max(x, 0), however it is spelled: Clamp [0, inf], Maximum with 0.
std::optional<Output> MatchRelu(Output value);
// x for clamp(x + 3, 0, 6): Clamp over Add, Add with that range.
std::optional<Output> MatchRelu6Plus3(Output value);

// A product taken apart: scale * factors[0] * factors[1] ..., looking through Mul, Div by a scalar
// constant, and Neg, as long as the inner nodes have no other reader.
struct Product {
  double scale = 1.0;
  std::vector<Output> factors;
  std::vector<const Node*> nodes;  // the nodes looked through, the root first
};
Product FlattenProduct(Node* root, int max_depth = 4);

// --- Convolutions and matrix products: inputs (x, filter[, bias]) and an output range.
bool IsConvLike(const Node* node);  // Conv2D, DepthwiseConv2D, TransposeConv2D, FullyConnected
// The output range of an op that has one (conv-like, Pool2D, Binary, Clamp), else null. The pointer
// is good until the node's attributes are replaced.
OutputRange* MutableRange(Node* node);
const OutputRange* RangeOf(const Node* node);
// The range of clamping to `first`, then to `second`.
OutputRange Compose(const OutputRange& first, const OutputRange& second);

// Is no element below zero (NaN aside)? Looks at ranges and ops, and through moves, a few nodes
// deep.
bool IsNonNegative(Output value, int max_depth = 8);

// Is `axis` the only reduced axis, and the last one?
bool ReducesLastAxis(const Node* reduce);

}  // namespace linnet::converter
