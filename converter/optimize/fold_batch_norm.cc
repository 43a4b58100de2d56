// SPDX-License-Identifier: Apache-2.0
// (conv(x, w) + b) * s            =>  conv(x, w * s) + b * s          (s per output channel)
// conv(x * s, w)                  =>  conv(x, w * s)                  (s per input channel)
// conv(x + t, w) without padding  =>  conv(x, w) + sum(w * t)         (t per input channel)
// for Conv2D, DepthwiseConv2D, TransposeConv2D (first rule) and FullyConnected with constant filter
// and bias. After merge_affine a batch norm is such a Mul followed by an Add, which fuse_bias
// takes. Of the two nodes the one that is read by the other must have no other reader. It must have
// no output range either, except that factors that are not negative go through a relu, and a single
// positive one through any range, if the filter need not be decoded for it. In front of a
// FullyConnected the channels may have been reshaped into one row. A single factor may also come
// after the result has been moved about or multiplied by another tensor: the scale of attention, (q
// k^T) * s, goes into the filter that makes q. A u8 or u16 filter times a single factor stays
// encoded. Rounds differently, so not under strict algebra.
#include "converter/pass/passes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"
#include "runtime/core/encoding.h"

namespace linnet::converter {
namespace {

bool HasConstantWeights(const Node* conv) {
  if (!IsConvLike(conv) || ConstantOf(conv->input(1)) == nullptr) return false;
  return conv->num_inputs() < 3 || ConstantOf(conv->input(2)) != nullptr;
}

// Which channels of the op's output and input element `i` of the filter belongs to.
struct FilterLayout {
  int64_t outputs = 0;         // output channels
  int64_t inner = 0;           // elements per output channel, of filters that have it outermost
  int64_t input_channels = 0;  // innermost extent, of the same
  int64_t outputs_per_group = 0;
  int64_t multiplier = 0;  // depthwise: output channels per input channel; else 0

  explicit FilterLayout(const Node* conv) {
    const Shape& filter = ConstantOf(conv->input(1))->type.shape;
    if (conv->Is<DepthwiseConv2DAttrs>()) {
      outputs = filter.back();
      multiplier = outputs / std::max<int64_t>(TypeOf(conv->input(0)).shape.back(), 1);
      return;
    }
    outputs = filter[0];
    inner = filter.Product(1, filter.rank());
    input_channels = filter.back();
    const int64_t groups = conv->Is<Conv2DAttrs>() ? conv->attrs<Conv2DAttrs>().groups : 1;
    outputs_per_group = outputs / groups;
  }
  int64_t OutputChannel(int64_t i) const { return multiplier > 0 ? i % outputs : i / inner; }
  int64_t InputChannel(int64_t i) const {
    if (multiplier > 0) return i % outputs / multiplier;
    return i / inner / outputs_per_group * input_channels + i % input_channels;
  }
};

void SetConstantInput(Graph& graph, Node* conv, int slot, const char* suffix, Constant value) {
  Rewire(graph, conv, slot, AddConstantLike(graph, *conv, suffix, std::move(value)));
}

bool IsSingleFactor(const std::vector<double>& scale) {
  return !scale.empty() && std::ranges::all_of(scale, [&](double s) { return s == scale[0]; });
}

// A quantised filter times one factor stays quantised.
bool ChangesOnlySteps(const Constant& filter, const std::vector<double>& scale) {
  return IsAffine(filter.encoding) && IsSingleFactor(scale);
}

// Whether the filter takes these factors without being decoded, which would enlarge the plan.
bool StaysEncoded(const Node* conv, const std::vector<double>& scale) {
  const Constant& filter = *ConstantOf(conv->input(1));
  return filter.encoding == schema::Encoding::Plain || ChangesOnlySteps(filter, scale);
}

// The value of a channel. Channels that were reshaped into one row come again and again in it.
double At(const std::vector<double>& values, int64_t channel) {
  return values[static_cast<size_t>(channel) % values.size()];
}

// The filter with every element multiplied by the factor of its channel.
Constant ScaledFilter(const Node* conv, const std::vector<double>& scale,
                      int64_t (FilterLayout::*channel)(int64_t) const) {
  const Constant& encoded = *ConstantOf(conv->input(1));
  if (ChangesOnlySteps(encoded, scale)) {
    Constant scaled = encoded;
    scaled.affine =
        schema::Affine(encoded.affine.scale() * scale[0], encoded.affine.min() * scale[0]);
    return scaled;
  }
  const FilterLayout layout(conv);
  const Constant filter = encoded.Plain();
  const auto elements = filter.as<float>();
  std::vector<float> scaled(elements.size());
  for (int64_t i = 0; i < std::ssize(elements); ++i)
    scaled[i] = static_cast<float>(elements[i] * At(scale, (layout.*channel)(i)));
  return Constant::Of<float>(filter.type.shape, std::move(scaled));
}

// x * c or x / c with a constant per channel of x.
struct Scaling {
  Output x;
  std::vector<double> scale;
  explicit operator bool() const { return static_cast<bool>(x); }
};

Scaling MatchScaling(const Node* node) {
  if (node == nullptr || !node->Is<BinaryAttrs>()) return {};
  const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
  const WithConstant parts = SplitSameType(node);
  const bool is_div = kind == BinaryKind::Div && parts.constant_slot == 1;
  if (!parts || (kind != BinaryKind::Mul && !is_div)) return {};
  auto scale = ChannelValues(*ConstantOf(parts.constant), node->type());
  if (!scale) return {};
  if (is_div)
    for (double& s : *scale) s = 1.0 / s;
  if (!AllFinite(*scale)) return {};
  return {parts.value, *std::move(scale)};
}

// Multiplies the results of the op, one factor for each output channel.
void ScaleResults(Graph& graph, Node* conv, const std::vector<double>& scale) {
  SetConstantInput(graph, conv, 1, "filter",
                   ScaledFilter(conv, scale, &FilterLayout::OutputChannel));
  if (conv->num_inputs() < 3) return;
  const Constant& old = *ConstantOf(conv->input(2));
  std::vector<double> bias = ElementsOf(old);
  for (size_t i = 0; i < bias.size(); ++i) bias[i] *= scale[i];
  SetConstantInput(graph, conv, 2, "bias", FloatConstant(old.type.shape, bias));
}

bool MayScaleResults(const Node* conv) { return HasConstantWeights(conv) && HasSingleUse(conv); }

// The range of x * s where `range` is that of x, if it is one range for all channels.
std::optional<OutputRange> ScaledRange(const OutputRange& range, const std::vector<double>& scale) {
  if (range.unbounded()) return range;
  const bool is_single = IsSingleFactor(scale) && scale[0] > 0;
  if (!is_single && std::ranges::any_of(scale, [](double s) { return s < 0; })) return std::nullopt;
  const auto scaled = [&](float bound) -> std::optional<float> {
    if (bound == 0 || std::isinf(bound)) return bound;
    if (!is_single) return std::nullopt;
    return static_cast<float>(bound * scale[0]);
  };
  const std::optional<float> min = scaled(range.min), max = scaled(range.max);
  if (!min || !max) return std::nullopt;
  return OutputRange{*min, *max};
}

// conv(x, w, b) * s  =>  conv(x, w * s, b * s)
bool FoldScaleBehind(Graph& graph, Node* node) {
  const Scaling scaling = MatchScaling(node);
  Node* conv = scaling.x.node;
  if (!scaling || !MayScaleResults(conv)) return false;
  const std::optional<OutputRange> range = ScaledRange(*RangeOf(conv), scaling.scale);
  if (!range || (!range->unbounded() && !StaysEncoded(conv, scaling.scale))) return false;
  ScaleResults(graph, conv, scaling.scale);
  *MutableRange(conv) = Compose(*range, *RangeOf(node));
  Absorb(graph, node, conv);
  return true;
}

// Factors from here to 1, as those of attention: others could take weights, or the halves that a
// GPU has of them, out of their range.
constexpr double kSmallestFactor = 1.0 / 256;

// The op whose results, moved about or multiplied by another tensor, are `value`, so that a factor
// of `value` may be a factor of these results. Null where something reads a value in between.
Node* FindFactorTarget(Output value, int max_depth = 8) {
  Node* node = value.node;
  if (max_depth == 0 || !HasSingleUse(node)) return nullptr;
  if (node->Is<ReshapeAttrs>() || node->Is<TransposeAttrs>())
    return FindFactorTarget(node->input(0), max_depth - 1);
  if (node->Is<BatchMatMulAttrs>()) {
    Node* left = FindFactorTarget(node->input(0), max_depth - 1);
    return left != nullptr ? left : FindFactorTarget(node->input(1), max_depth - 1);
  }
  return MayScaleResults(node) && RangeOf(node)->unbounded() ? node : nullptr;
}

// (conv(x, w, b) @ y) * s  =>  conv(x, w * s, b * s) @ y
bool FoldFactorThroughProducts(Graph& graph, Node* node) {
  const Scaling scaling = MatchScaling(node);
  if (!scaling || !IsSingleFactor(scaling.scale) || !RangeOf(node)->unbounded()) return false;
  const double factor = std::abs(scaling.scale[0]);
  if (factor < kSmallestFactor || factor > 1.0) return false;
  Node* conv = FindFactorTarget(scaling.x);
  if (conv == nullptr || conv == scaling.x.node) return false;
  if (!StaysEncoded(conv, scaling.scale)) return false;
  const int64_t channels = FilterLayout(conv).outputs;
  if (channels > kMaxChannels) return false;
  ScaleResults(graph, conv, std::vector<double>(static_cast<size_t>(channels), scaling.scale[0]));
  Absorb(graph, node, scaling.x.node);
  return true;
}

// The op that reads what is in front of `conv`: this itself, or a Reshape of all channels of some
// pixels to the row that a FullyConnected reads.
Node* ReaderInFront(Node* conv) {
  Node* reshape = Producer<ReshapeAttrs>(conv->input(0));
  if (reshape == nullptr || !conv->Is<FullyConnectedAttrs>() || !HasSingleUse(reshape)) return conv;
  const Shape& pixels = TypeOf(reshape->input(0)).shape;
  const int64_t row = FilterLayout(conv).input_channels;
  const bool is_whole = pixels.rank() > 0 && pixels.back() > 0 && row % pixels.back() == 0;
  return is_whole ? reshape : conv;
}

// conv(x * s, w)  =>  conv(x, w * s).  Padding may stay: zero times s is zero.
bool FoldScaleInFront(Graph& graph, Node* conv) {
  if (!HasConstantWeights(conv) || conv->Is<TransposeConv2DAttrs>()) return false;
  Node* reader = ReaderInFront(conv);
  Node* mul = reader->input(0).node;
  const Scaling scaling = MatchScaling(mul);
  if (!scaling || !HasSingleUse(mul) || !RangeOf(mul)->unbounded()) return false;
  if (reader != conv && !StaysEncoded(conv, scaling.scale)) return false;
  SetConstantInput(graph, conv, 1, "filter",
                   ScaledFilter(conv, scaling.scale, &FilterLayout::InputChannel));
  Rewire(graph, reader, 0, scaling.x);
  return true;
}

bool HasPadding(const Node* conv) {
  const auto padded = [](const auto& a) {
    return a.same || (a.pad_top | a.pad_bottom | a.pad_left | a.pad_right) != 0;
  };
  if (conv->Is<Conv2DAttrs>()) return padded(conv->attrs<Conv2DAttrs>());
  if (conv->Is<DepthwiseConv2DAttrs>()) return padded(conv->attrs<DepthwiseConv2DAttrs>());
  return !conv->Is<FullyConnectedAttrs>();  // TransposeConv2D: borders see fewer taps
}

// conv(x + t, w, b)  =>  conv(x, w, b + sum(w * t))
bool FoldShiftInFront(Graph& graph, Node* conv) {
  if (!HasConstantWeights(conv) || HasPadding(conv)) return false;
  Node* reader = ReaderInFront(conv);
  Node* add = reader->input(0).node;
  if (!IsBinary(add, BinaryKind::Add) || !HasSingleUse(add)) return false;
  const WithConstant parts = SplitSameType(add);
  if (!parts) return false;
  const auto shift = ChannelValues(*ConstantOf(parts.constant), add->type());
  if (!shift || !AllFinite(*shift)) return false;

  const FilterLayout layout(conv);
  const std::vector<double> filter = ElementsOf(*ConstantOf(conv->input(1)));
  std::vector<double> bias(static_cast<size_t>(layout.outputs), 0.0);
  if (conv->num_inputs() == 3) bias = ElementsOf(*ConstantOf(conv->input(2)));
  for (int64_t i = 0; i < std::ssize(filter); ++i)
    bias[layout.OutputChannel(i)] += filter[i] * At(*shift, layout.InputChannel(i));
  SetConstantInput(graph, conv, 2, "bias", FloatConstant({layout.outputs}, bias));
  Rewire(graph, reader, 0, parts.value);
  return true;
}

}  // namespace

absl::StatusOr<int> FoldBatchNorm(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    // Extents may vary: only channels matter here, and the filter fixes these.
    return FoldScaleBehind(graph, node) || FoldFactorThroughProducts(graph, node) ||
           FoldScaleInFront(graph, node) || FoldShiftInFront(graph, node);
  });
}

}  // namespace linnet::converter
