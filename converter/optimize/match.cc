// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/match.h"

#include <algorithm>

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
    if (std::memcmp(&element, &elements[0], sizeof(float)) != 0) return std::nullopt;
  return elements[0];
}

bool IsSplat(Output value, double want) {
  const std::optional<float> splat = Splat(value);
  return splat.has_value() && std::abs(*splat - want) <= 1e-6 * std::abs(want);
}

std::vector<double> ElementsOf(const Constant& value) {
  const Constant plain = value.Plain();
  const auto elements = plain.as<float>();
  return {elements.begin(), elements.end()};
}

Constant FloatConstant(const Shape& shape, const std::vector<double>& elements) {
  return Constant::Of<float>(shape, std::vector<float>(elements.begin(), elements.end()));
}

Constant FloatScalar(double value) { return FloatConstant({}, {value}); }

bool BroadcastsInto(const Shape& shape, const Shape& to) {
  if (shape.rank() > to.rank()) return false;
  const int offset = to.rank() - shape.rank();
  for (int i = 0; i < shape.rank(); ++i)
    if (shape[i] != 1 && shape[i] != to[i + offset]) return false;
  return true;
}

bool IsPerChannel(const Constant& constant, const TensorType& type) {
  const Shape& shape = constant.type.shape;
  if (constant.type.dtype != DType::kFloat32 || type.dtype != DType::kFloat32) return false;
  if (!BroadcastsInto(shape, type.shape)) return false;
  return shape.rank() == 0 || shape.num_elements() == shape.back();
}

bool HasFewPerChannel(const Constant& constant, const TensorType& type) {
  return IsPerChannel(constant, type) &&
         (type.shape.rank() == 0 || type.shape.back() <= kMostChannels);
}

std::vector<double> PerChannel(const Constant& constant, const TensorType& type) {
  std::vector<double> elements = ElementsOf(constant);
  const size_t channels = type.shape.rank() == 0 ? 1 : static_cast<size_t>(type.shape.back());
  if (elements.size() == 1) elements.resize(channels, elements[0]);
  LINNET_DCHECK(elements.size() == channels);
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

Node* ReduceProducer(Output value, ReduceKind kind) {
  Node* node = Producer<ReduceAttrs>(value);
  return node != nullptr && node->attrs<ReduceAttrs>().kind == kind ? node : nullptr;
}

bool HasSingleUse(const Node* node) {
  return node != nullptr && node->num_outputs() == 1 && node->HasSingleUse();
}

bool IsNearVarying(const Graph& graph, const Node& node) {
  if (graph.shapes().empty()) return false;
  if (graph.Varies(node)) return true;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Node& producer = *node.input(i).node;
    if (graph.Varies(producer)) return true;
    for (int k = 0; k < producer.num_inputs(); ++k)
      if (graph.Varies(*producer.input(k).node)) return true;
  }
  return false;
}

bool IsF32(Output value) { return value && value.node->type(value.index).dtype == DType::kFloat32; }

WithConstant SplitConstant(const Node* binary) {
  const Output a = binary->input(0), b = binary->input(1);
  const bool a_constant = ConstantOf(a) != nullptr, b_constant = ConstantOf(b) != nullptr;
  if (a_constant == b_constant) return {};
  if (b_constant) return {a, b, 1};
  return {b, a, 0};
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
    const WithConstant parts = SplitConstant(maximum);
    if (parts && IsSplat(parts.constant, 0.0) &&
        maximum->type() == parts.value.node->type(parts.value.index))
      return parts.value;
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
  const WithConstant parts = SplitConstant(add);
  if (!parts || !IsSplat(parts.constant, 3.0)) return std::nullopt;
  if (add->type() != parts.value.node->type(parts.value.index)) return std::nullopt;
  return parts.value;
}

namespace {

void FlattenInto(Node* node, int depth, Product* product) {
  product->nodes.push_back(node);
  for (int slot = 0; slot < node->num_inputs(); ++slot) {
    const Output input = node->input(slot);
    const std::optional<float> splat = Splat(input);
    const bool divisor = slot == 1 && IsBinary(node, BinaryKind::Div);
    if (splat && divisor) {
      product->scale /= *splat;
    } else if (splat) {
      product->scale *= *splat;
    } else {
      Node* inner = input.node;
      const bool open = depth > 0 && HasSingleUse(inner) &&
                        (IsBinary(inner, BinaryKind::Mul) || IsUnary(inner, UnaryKind::Neg) ||
                         (IsBinary(inner, BinaryKind::Div) && Splat(inner->input(1)).has_value()));
      if (open)
        FlattenInto(inner, depth - 1, product);
      else
        product->factors.push_back(input);
    }
  }
  if (IsUnary(node, UnaryKind::Neg)) product->scale = -product->scale;
}

}  // namespace

Product FlattenProduct(Node* root, int max_depth) {
  Product product;
  const bool is_product = IsBinary(root, BinaryKind::Mul) || IsUnary(root, UnaryKind::Neg) ||
                          (IsBinary(root, BinaryKind::Div) && Splat(root->input(1)).has_value());
  if (is_product) FlattenInto(root, max_depth, &product);
  return product;
}

bool IsConvLike(const Node* node) {
  return node != nullptr && (node->Is<Conv2DAttrs>() || node->Is<DepthwiseConv2DAttrs>() ||
                             node->Is<TransposeConv2DAttrs>() || node->Is<FullyConnectedAttrs>());
}

OutputRange* MutableRange(Node* node) {
  if (node == nullptr || node->node_class() != NodeClass::kOp) return nullptr;
  switch (node->kind()) {
    case OpKind::kConv2D:
      return &node->mutable_attrs<Conv2DAttrs>().range;
    case OpKind::kDepthwiseConv2D:
      return &node->mutable_attrs<DepthwiseConv2DAttrs>().range;
    case OpKind::kTransposeConv2D:
      return &node->mutable_attrs<TransposeConv2DAttrs>().range;
    case OpKind::kFullyConnected:
      return &node->mutable_attrs<FullyConnectedAttrs>().range;
    case OpKind::kPool2D:
      return &node->mutable_attrs<Pool2DAttrs>().range;
    case OpKind::kBinary:
      return &node->mutable_attrs<BinaryAttrs>().range;
    case OpKind::kClamp:
      return &node->mutable_attrs<ClampAttrs>().range;
    default:
      return nullptr;
  }
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
    const std::vector<double> elements = ElementsOf(*constant);
    return std::all_of(elements.begin(), elements.end(), [](double e) { return e >= 0.0; });
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
      [[fallthrough]];
    case OpKind::kPool2D:
    case OpKind::kReshape:
    case OpKind::kTranspose:
    case OpKind::kSlice:
    case OpKind::kTile:
    case OpKind::kResize:
    case OpKind::kDepthToSpace:
    case OpKind::kSpaceToDepth:
      return IsNonNegative(node->input(0), max_depth - 1);
    case OpKind::kConcat:
      for (int i = 0; i < node->num_inputs(); ++i)
        if (!IsNonNegative(node->input(i), max_depth - 1)) return false;
      return true;
    case OpKind::kBinary: {
      const BinaryKind kind = node->attrs<BinaryAttrs>().kind;
      return (kind == BinaryKind::Add || kind == BinaryKind::Mul) &&
             IsNonNegative(node->input(0), max_depth - 1) &&
             IsNonNegative(node->input(1), max_depth - 1);
    }
    default:
      return false;
  }
}

bool ReducesLastAxis(const Node* reduce) {
  if (reduce == nullptr || !reduce->Is<ReduceAttrs>()) return false;
  const Shape& axes = reduce->attrs<ReduceAttrs>().axes;
  const Output input = reduce->input(0);
  return axes.rank() == 1 && axes[0] == input.node->type(input.index).shape.rank() - 1;
}

}  // namespace linnet::converter
