// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/extents/integer_bounds.h"

#include <algorithm>

#include "converter/legalize/extents/real_bounds.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {

using Bounds = IntegerBounds::Bounds;
using schema::BinaryKind;
using schema::ReduceKind;

namespace {

// The shape of input 0, with each extent that varies at its largest.
const Shape& InputShape(const Node& node) {
  return node.input(0).node->type(node.input(0).index).shape;
}

// A cast to integers rounds towards 0.
std::optional<Bounds> Truncated(const RealBounds& reals) {
  constexpr float kMost = 1e12F;  // far from where floats do not fit into integers
  if (reals.min < -kMost || reals.max > kMost) return std::nullopt;
  return Bounds{static_cast<int64_t>(reals.min), static_cast<int64_t>(reals.max)};
}

}  // namespace

std::optional<Bounds> IntegerBounds::Find(Output value) const {
  const auto it = bounds_.find({value.node->id(), value.index});
  if (it != bounds_.end()) return it->second;
  if (!value.node->HasType(value.index)) return std::nullopt;
  const DType dtype = value.node->type(value.index).dtype;
  if (dtype == DType::kBool) return Bounds{0, 1};
  if (dtype == DType::kUint8) return Bounds{0, 255};
  // Larger constants are weights or data, not sizes: to look at all elements only costs time.
  constexpr int64_t kMostElements = 1 << 20;
  if (value.node->type(value.index).shape.num_elements() > kMostElements) return std::nullopt;
  if (!value.node->IsConstant() || (dtype != DType::kInt32 && dtype != DType::kInt64))
    return std::nullopt;
  const std::vector<int64_t> numbers = value.node->constant().ToInt64();
  if (numbers.empty()) return Bounds{};
  const auto [min, max] = std::ranges::minmax(numbers);
  return Bounds{min, max};
}

void IntegerBounds::Set(Output value, Bounds bounds) {
  bounds_[{value.node->id(), value.index}] = bounds;
}

void IntegerBounds::Record(const Node& node) {
  if (node.node_class() != NodeClass::kOp) return;
  if (node.Is<TopKAttrs>()) bounds_[{node.id(), 1}] = {0, InputShape(node).back()};
  if (node.Is<UniqueAttrs>()) {
    const int64_t rows = InputShape(node)[0];
    bounds_[{node.id(), 1}] = {0, std::max<int64_t>(0, rows - 1)};
    bounds_[{node.id(), 2}] = {0, rows};
  }
  const DType dtype = node.type().dtype;
  if (dtype != DType::kInt32 && dtype != DType::kInt64) return;
  const std::optional<Bounds> bounds = OfNode(node);
  if (!bounds) return;
  // The op may overflow and wrap around, to any value.
  if (dtype == DType::kInt32 && (bounds->min < INT32_MIN || bounds->max > INT32_MAX)) return;
  bounds_[{node.id(), 0}] = *bounds;
}

std::optional<Bounds> IntegerBounds::Hull(const Node& node, int first, int last) const {
  std::optional<Bounds> hull;
  for (int i = first; i < last; ++i) {
    const std::optional<Bounds> bounds = Find(node.input(i));
    if (!bounds) return std::nullopt;
    if (hull)
      hull = {std::min(hull->min, bounds->min), std::max(hull->max, bounds->max)};
    else
      hull = bounds;
  }
  return hull;
}

std::optional<Bounds> IntegerBounds::OfNode(const Node& node) const {
  if (node.Is<CastAttrs>()) {
    const Output from = node.input(0);
    if (!IsFloat(from.node->type(from.index).dtype)) return Find(from);
    const std::optional<RealBounds> reals = FindRealBounds(from, *this);
    return reals ? Truncated(*reals) : std::nullopt;
  }
  if (node.Has(kMovesElements)) return Hull(node, 0, node.num_inputs());
  if (node.Has(kPicksElements)) return Find(node.input(0));
  if (node.Is<SelectAttrs>()) return Hull(node, 1, 3);
  if (node.Is<BinaryAttrs>()) return OfBinary(node);
  if (node.Is<ReduceAttrs>()) return OfReduce(node);
  if (node.Is<ArgReduceAttrs>())
    return Bounds{0, std::max<int64_t>(0, InputShape(node)[node.attrs<ArgReduceAttrs>().axis] - 1)};
  if (node.Is<WhereAttrs>()) {
    const Shape& shape = InputShape(node);
    return Bounds{0, std::max<int64_t>(0, *std::max_element(shape.begin(), shape.end()) - 1)};
  }
  if (node.Is<UniqueAttrs>()) {  // the output has zeros behind the last distinct row
    std::optional<Bounds> bounds = Find(node.input(0));
    if (bounds) bounds = {std::min<int64_t>(bounds->min, 0), std::max<int64_t>(bounds->max, 0)};
    return bounds;
  }
  return std::nullopt;
}

std::optional<Bounds> IntegerBounds::OfBinary(const Node& node) const {
  const std::optional<Bounds> a = Find(node.input(0)), b = Find(node.input(1));
  const BinaryKind kind = node.attrs<BinaryAttrs>().kind;
  // min(high, max(low, x)) and max(low, min(high, x)) are bounded, whatever x is.
  for (const auto& [known, other] : {std::pair(a, node.input(1)), std::pair(b, node.input(0))}) {
    if (!known || Find(other) || !other.node->Is<BinaryAttrs>()) continue;
    const BinaryKind inner = other.node->attrs<BinaryAttrs>().kind;
    for (const int i : {0, 1}) {
      const std::optional<Bounds> end = Find(other.node->input(i));
      if (!end) continue;
      if (kind == BinaryKind::Minimum && inner == BinaryKind::Maximum)
        return Bounds{std::min(known->min, end->min), known->max};
      if (kind == BinaryKind::Maximum && inner == BinaryKind::Minimum)
        return Bounds{known->min, std::max(known->max, end->max)};
    }
  }
  if (!a || !b) return std::nullopt;
  Bounds sum;
  switch (kind) {
    case BinaryKind::Add:
      if (!CheckedAdd(a->min, b->min, &sum.min) || !CheckedAdd(a->max, b->max, &sum.max))
        return std::nullopt;
      return sum;
    case BinaryKind::Sub:
      if (b->min == INT64_MIN || !CheckedAdd(a->min, -b->max, &sum.min) ||
          !CheckedAdd(a->max, -b->min, &sum.max))
        return std::nullopt;
      return sum;
    case BinaryKind::Maximum:
      return Bounds{std::max(a->min, b->min), std::max(a->max, b->max)};
    case BinaryKind::Minimum:
      return Bounds{std::min(a->min, b->min), std::min(a->max, b->max)};
    case BinaryKind::Mul:
      if (a->min < 0 || b->min < 0) return std::nullopt;
      return Bounds{SaturatingMul(a->min, b->min), SaturatingMul(a->max, b->max)};
    case BinaryKind::Div:
    case BinaryKind::FloorDiv:
    case BinaryKind::TruncateDiv:
      if (a->min < 0 || b->min < 1) return std::nullopt;
      return Bounds{a->min / b->max, a->max / b->min};
    case BinaryKind::FloorMod:
      if (b->min < 1) return std::nullopt;
      return Bounds{0, b->max - 1};
    default:
      return std::nullopt;
  }
}

std::optional<Bounds> IntegerBounds::OfReduce(const Node& node) const {
  const auto& attrs = node.attrs<ReduceAttrs>();
  const std::optional<Bounds> x = Find(node.input(0));
  if (!x) return std::nullopt;
  if (attrs.kind == ReduceKind::Max || attrs.kind == ReduceKind::Min) return x;
  if (attrs.kind != ReduceKind::Sum) return std::nullopt;
  int64_t count = 1;
  const Shape& shape = InputShape(node);
  for (const int64_t axis : attrs.axes) count = SaturatingMul(count, shape[static_cast<int>(axis)]);
  if (x->min < 0 && x->min < -(INT64_MAX / std::max<int64_t>(count, 1))) return std::nullopt;
  return Bounds{x->min < 0 ? x->min * count : 0, x->max > 0 ? SaturatingMul(x->max, count) : 0};
}

}  // namespace linnet::converter
