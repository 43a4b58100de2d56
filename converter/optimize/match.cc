// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/match.h"

#include <algorithm>
#include <bit>

#include "runtime/ops/broadcast.h"

namespace linnet::converter {

const Constant* ConstantOf(Output value) {
  return value && value.node->IsConstant() ? &value.node->constant() : nullptr;
}

std::optional<float> Splat(Output value) {
  const Constant* constant = ConstantOf(value);
  if (constant == nullptr || constant->type.dtype != DType::kFloat32) return std::nullopt;
  // Patterns ask about scalars and channel vectors; do not decode large weights for them.
  if (constant->type.shape.num_elements() > (1 << 16)) return std::nullopt;
  const Constant plain = constant->Plain();
  const auto elements = plain.as<float>();
  if (elements.empty()) return std::nullopt;
  for (float element : elements)
    if (std::bit_cast<uint32_t>(element) != std::bit_cast<uint32_t>(elements[0]))
      return std::nullopt;
  return elements[0];
}

bool IsSplat(Output value, double want) {
  const std::optional<float> splat = Splat(value);
  return splat.has_value() && std::abs(*splat - want) <= 1e-6 * std::abs(want);
}

std::vector<double> ElementsOf(const Constant& constant) {
  const Constant plain = constant.Plain();
  const auto elements = plain.as<float>();
  return {elements.begin(), elements.end()};
}

Constant FloatConstant(const Shape& shape, const std::vector<double>& elements) {
  return Constant::Of<float>(shape, std::vector<float>(elements.begin(), elements.end()));
}

Constant FloatScalar(double value) { return FloatConstant({}, {value}); }

bool AllFinite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool IsPerChannel(const Constant& constant, const TensorType& type) {
  const Shape& shape = constant.type.shape;
  if (constant.type.dtype != DType::kFloat32 || type.dtype != DType::kFloat32) return false;
  if (!BroadcastsTo(shape, type.shape)) return false;
  return shape.rank() == 0 || shape.num_elements() == shape.back();
}

std::optional<std::vector<double>> ChannelValues(const Constant& constant, const TensorType& type) {
  const int64_t channels = type.shape.rank() == 0 ? 1 : type.shape.back();
  if (!IsPerChannel(constant, type) || channels > kMaxChannels) return std::nullopt;
  std::vector<double> elements = ElementsOf(constant);
  if (elements.size() == 1) elements.resize(static_cast<size_t>(channels), elements[0]);
  LINNET_DCHECK(std::ssize(elements) == channels);
  return elements;
}

bool IsBinary(const Node* node, BinaryKind kind) {
  return node != nullptr && node->Is<BinaryAttrs>() && node->attrs<BinaryAttrs>().kind == kind &&
         node->attrs<BinaryAttrs>().range.unbounded();
}

bool IsUnary(const Node* node, UnaryKind kind) {
  return node != nullptr && node->Is<UnaryAttrs>() && node->attrs<UnaryAttrs>().kind == kind;
}

Node* BinaryProducer(Output value, BinaryKind kind) {
  return IsBinary(value.node, kind) ? value.node : nullptr;
}

Node* UnaryProducer(Output value, UnaryKind kind) {
  return IsUnary(value.node, kind) ? value.node : nullptr;
}

Node* RowReductionProducer(Output value, ReduceKind kind) {
  Node* node = Producer<ReduceAttrs>(value);
  if (node == nullptr) return nullptr;
  const Shape last_axis{TypeOf(node->input(0)).shape.rank() - 1};
  return node->attrs<ReduceAttrs>() == ReduceAttrs{kind, last_axis, true} ? node : nullptr;
}

bool HasSingleUse(const Node* node) {
  return node != nullptr && node->num_outputs() == 1 && node->HasSingleUse();
}

bool IsNearVarying(const Graph& graph, const Node& node) {
  if (graph.shapes().empty()) return false;
  if (graph.Varies(node)) return true;
  for (const Output input : node.inputs()) {
    if (graph.Varies(*input.node)) return true;
    for (const Output source : input.node->inputs())
      if (graph.Varies(*source.node)) return true;
  }
  return false;
}

bool IsF32(Output value) { return value && TypeOf(value).dtype == DType::kFloat32; }

WithConstant SplitConstant(const Node* binary) {
  const Output a = binary->input(0), b = binary->input(1);
  const bool a_constant = ConstantOf(a) != nullptr, b_constant = ConstantOf(b) != nullptr;
  if (a_constant == b_constant) return {};
  if (b_constant) return {a, b, 1};
  return {b, a, 0};
}

WithConstant SplitSameType(const Node* binary) {
  const WithConstant parts = SplitConstant(binary);
  return parts && TypeOf(parts.value) == binary->type() ? parts : WithConstant{};
}

std::optional<Output> OtherInput(const Node* binary, Output one) {
  if (binary->input(0) == one) return binary->input(1);
  if (binary->input(1) == one) return binary->input(0);
  return std::nullopt;
}

std::optional<Output> MatchRelu(Output value) {
  if (const Node* clamp = Producer<ClampAttrs>(value)) {
    const OutputRange& range = clamp->attrs<ClampAttrs>().range;
    if (range.min == 0.0f && std::isinf(range.max)) return clamp->input(0);
  } else if (const Node* maximum = BinaryProducer(value, BinaryKind::Maximum)) {
    const WithConstant parts = SplitSameType(maximum);
    if (parts && IsSplat(parts.constant, 0.0)) return parts.value;
  }
  return std::nullopt;
}

std::optional<Output> MatchRelu6Plus3(Output value) {
  Node* add = nullptr;
  if (const Node* clamp = Producer<ClampAttrs>(value)) {
    if (clamp->attrs<ClampAttrs>().range != OutputRange{0.0f, 6.0f}) return std::nullopt;
    add = BinaryProducer(clamp->input(0), BinaryKind::Add);
  } else if (Node* binary = Producer<BinaryAttrs>(value)) {
    const auto& attrs = binary->attrs<BinaryAttrs>();
    if (attrs.kind == BinaryKind::Add && attrs.range == OutputRange{0.0f, 6.0f}) add = binary;
  }
  if (add == nullptr) return std::nullopt;
  const WithConstant parts = SplitSameType(add);
  if (!parts || !IsSplat(parts.constant, 3.0)) return std::nullopt;
  return parts.value;
}

Output MatchSquare(Output value) {
  if (const Node* square = UnaryProducer(value, UnaryKind::Square)) return square->input(0);
  const Node* mul = BinaryProducer(value, BinaryKind::Mul);
  return mul != nullptr && mul->input(0) == mul->input(1) ? mul->input(0) : Output{};
}

namespace {

bool IsProduct(const Node* node) {
  return IsBinary(node, BinaryKind::Mul) || IsUnary(node, UnaryKind::Neg) ||
         (IsBinary(node, BinaryKind::Div) && Splat(node->input(1)).has_value());
}

void FlattenInto(Node* node, int depth, Product* product) {
  product->nodes.push_back(node);
  for (int slot = 0; slot < node->num_inputs(); ++slot) {
    const Output input = node->input(slot);
    const bool is_divisor = slot == 1 && IsBinary(node, BinaryKind::Div);
    if (const std::optional<float> splat = Splat(input)) {
      product->scale = is_divisor ? product->scale / *splat : product->scale * *splat;
    } else if (depth > 0 && HasSingleUse(input.node) && IsProduct(input.node)) {
      FlattenInto(input.node, depth - 1, product);
    } else {
      product->factors.push_back(input);
    }
  }
  if (IsUnary(node, UnaryKind::Neg)) product->scale = -product->scale;
}

}  // namespace

MeanPlusEpsilon MatchMeanPlusEpsilon(Output value) {
  const Node* add = BinaryProducer(value, BinaryKind::Add);
  if (!HasSingleUse(add)) return {};
  const WithConstant parts = SplitConstant(add);
  const std::optional<float> epsilon = Splat(parts.constant);
  const Node* mean = RowReductionProducer(parts.value, ReduceKind::Mean);
  if (!epsilon || !(*epsilon >= 0.0f) || !HasSingleUse(mean)) return {};
  return {mean, *epsilon};
}

Product FlattenProduct(Node* root, int max_depth) {
  Product product;
  if (IsProduct(root)) FlattenInto(root, max_depth, &product);
  return product;
}

bool IsConvLike(const Node* node) {
  return node != nullptr && (node->Is<Conv2DAttrs>() || node->Is<DepthwiseConv2DAttrs>() ||
                             node->Is<TransposeConv2DAttrs>() || node->Is<FullyConnectedAttrs>());
}

namespace {

// The range of `node` if it is an op with any of these attributes, else null.
template <typename... Attrs>
OutputRange* RangeOfAny(Node* node) {
  OutputRange* range = nullptr;
  ((node->Is<Attrs>() && (range = &node->mutable_attrs<Attrs>().range)) || ...);
  return range;
}

}  // namespace

OutputRange* MutableRange(Node* node) {
  if (node == nullptr) return nullptr;
  return RangeOfAny<Conv2DAttrs, DepthwiseConv2DAttrs, TransposeConv2DAttrs, FullyConnectedAttrs,
                    Pool2DAttrs, BinaryAttrs, ClampAttrs>(node);
}

const OutputRange* RangeOf(const Node* node) { return MutableRange(const_cast<Node*>(node)); }

OutputRange Compose(const OutputRange& first, const OutputRange& second) {
  return {std::clamp(first.min, second.min, second.max),
          std::clamp(first.max, second.min, second.max)};
}

bool IsNonNegative(Output value, int max_depth) {
  if (!value || max_depth == 0) return false;
  const Node* node = value.node;
  if (const Constant* constant = ConstantOf(value)) {
    if (constant->type.dtype != DType::kFloat32) return false;
    return std::ranges::all_of(ElementsOf(*constant), [](double e) { return e >= 0.0; });
  }
  if (node->node_class() != NodeClass::kOp) return false;
  if (const OutputRange* range = RangeOf(node); range != nullptr && range->min >= 0.0f) return true;
  switch (node->kind()) {
    case OpKind::kSoftmax:
      return !node->attrs<SoftmaxAttrs>().log;
    case OpKind::kUnary:
      switch (node->attrs<UnaryAttrs>().kind) {
        case UnaryKind::Abs:
        case UnaryKind::Square:
        case UnaryKind::Sqrt:
        case UnaryKind::Exp:
        case UnaryKind::Sigmoid:
        case UnaryKind::HardSigmoid:
          return true;
        default:
          return false;
      }
    case OpKind::kPad:
      if (node->attrs<PadAttrs>().value < 0.0) return false;
      break;
    case OpKind::kBinary:
      if (const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
          kind != BinaryKind::Add && kind != BinaryKind::Mul)
        return false;
      break;
    case OpKind::kResize:
      if (node->attrs<ResizeAttrs>().mode == schema::ResizeMode::Bicubic)
        return false;  // overshoots
      break;
    case OpKind::kPool2D:
      break;
    default:
      if (node->Has(kPicksElements)) return IsNonNegative(node->input(0), max_depth - 1);
      if (!node->Has(kMovesElements)) return false;
  }
  return std::ranges::all_of(
      node->inputs(), [max_depth](Output input) { return IsNonNegative(input, max_depth - 1); });
}

}  // namespace linnet::converter
