// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/slices_at_indices.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "converter/legalize/context/building_blocks.h"
#include "runtime/ops/concat.h"
#include "runtime/ops/gather_nd.h"
#include "runtime/ops/reshape.h"
#include "runtime/ops/scatter.h"

namespace linnet::converter {
namespace {

// How many dimensions are addressed: those from here on are taken whole.
int AddressedDims(const Shape& shape, const Shape& size, const Shape& stride) {
  int depth = shape.rank();
  while (depth > 0 && shape[depth - 1] == size[depth - 1] &&
         (stride[depth - 1] == 1 || size[depth - 1] <= 1))
    --depth;
  return depth;
}

// The positions of the elements of a block in the first `depth` dimensions: [size..., depth].
Emitted EmitPositionsOf(LegalizeContext& context, const Shape& size, const Shape& stride, int depth,
                        const Emitted& start) {
  if (!start.ok()) return start;
  const Shape block = SubShape(size, 0, depth);
  int64_t elements;
  if (!CheckedMul(block.num_elements(), depth, &elements) || elements > kMostElements)
    return Unsupported("a part {} at computed positions, want at most {} of them", ShapeText(size),
                       kMostElements);
  std::vector<int64_t> grid;
  grid.reserve(static_cast<size_t>(elements));
  for (int64_t i = 0; i < block.num_elements(); ++i) {
    int64_t rest = block.num_elements(), position = i;
    for (int d = 0; d < depth; ++d) {
      rest /= block[d];
      grid.push_back(position / rest * stride[d]);
      position %= rest;
    }
  }
  Emitted offsets = context.AddConstant(
      Constant::Of<int64_t>(Concatenated(block, {depth}), std::move(grid)), "offsets");
  offsets = EmitCast(context, context.type(*start).dtype, offsets, "offsets/cast");
  const Emitted first = EmitSliceAlong(context, 0, 0, depth, start, "start");
  return EmitBinary(context, BinaryKind::Add, offsets, first, "positions");
}

// The part of `size` elements at `start` of input 0.
Emitted EmitTakenAt(LegalizeContext& context, const Shape& size, const Emitted& start,
                    std::string_view suffix = "") {
  const Output x = context.input(0);
  const Shape stride = Filled(size.rank(), 1);
  const int depth = AddressedDims(context.shape(x), size, stride);
  if (depth == 0) return x;
  const Emitted positions = EmitPositionsOf(context, size, stride, depth, start);
  return context.Emit(GatherNdAttrs(), {x, positions}, suffix);
}

// XLA moves what would lie outside to the nearest place inside.
absl::StatusOr<Output> EmitStartInside(LegalizeContext& context, const Shape& size, Output start) {
  const Shape& shape = context.shape(0);
  if (size.rank() != shape.rank() || context.shape(start) != Shape{shape.rank()})
    return Invalid("a part {} of {} at indices {}", ShapeText(size), ShapeText(shape),
                   ShapeText(context.shape(start)));
  std::vector<int64_t> limits;
  for (int i = 0; i < shape.rank(); ++i) {
    if (size[i] < 0 || size[i] > shape[i])
      return Invalid("a part {} of {}", ShapeText(size), ShapeText(shape));
    limits.push_back(shape[i] - size[i]);
  }
  const DType dtype = context.type(start).dtype;
  const Emitted limit =
      EmitCast(context, dtype, context.AddVector(std::move(limits), "limits"), "limits/cast");
  const Emitted low = EmitBinary(context, BinaryKind::Maximum, start, 0.0, "not_negative");
  return EmitBinary(context, BinaryKind::Minimum, low, limit, "inside");
}

// An element of a tensor of integers.
struct Element {
  Output tensor;
  int64_t index;

  std::optional<int64_t> constant() const {
    if (!tensor.node->IsConstant()) return std::nullopt;
    return tensor.node->constant().ToInt64()[static_cast<size_t>(index)];
  }
};

// Where element `index` of a vector comes from, through reshapes and joins of scalars.
Element OriginOf(const LegalizeContext& context, Element element) {
  while (true) {
    const Node& node = *element.tensor.node;
    if (node.Is<ReshapeAttrs>()) {
      element.tensor = node.input(0);
      continue;
    }
    if (!node.Is<ConcatAttrs>() || context.shape(element.tensor).rank() != 1) return element;
    int part = 0;
    while (element.index >= context.shape(node.input(part)).num_elements())
      element.index -= context.shape(node.input(part++)).num_elements();
    element.tensor = node.input(part);
  }
}

// The number that `end` is more than `begin`, where it is the result of such an addition.
std::optional<int64_t> DistanceOf(const LegalizeContext& context, const Element& begin,
                                  const Element& end) {
  if (begin.constant() && end.constant()) return *end.constant() - *begin.constant();
  const Node& node = *end.tensor.node;
  if (!node.Is<BinaryAttrs>() || node.attrs<BinaryAttrs>().kind != BinaryKind::Add)
    return std::nullopt;
  for (const int i : {0, 1}) {
    const Output base = node.input(i), added = node.input(1 - i);
    if (context.shape(base) != context.shape(end.tensor) || !added.node->IsConstant()) continue;
    const Element origin = OriginOf(context, {base, end.index});
    if (origin.tensor != begin.tensor || origin.index != begin.index) continue;
    const int64_t count = context.shape(added).num_elements();
    if (count == 1) return Element{added, 0}.constant();
    if (context.shape(added) == context.shape(base)) return Element{added, end.index}.constant();
  }
  return std::nullopt;
}

// What a StridedSlice takes of one dimension: all of it, or `size` elements from `start` on, which
// is an element of input 1 or a number.
struct Span {
  std::optional<Element> computed;
  int64_t start = 0;
  int64_t size = 0;
};

struct SpanMasks {
  int64_t begin, end, shrink;
};

absl::StatusOr<Span> SpanOf(const LegalizeContext& context, const SpanMasks& masks, int i) {
  const int64_t dim = context.shape(0)[i];
  const bool from_start = masks.begin >> i & 1, to_end = masks.end >> i & 1;
  const bool single = masks.shrink >> i & 1;
  const Element begin = OriginOf(context, {context.input(1), i});
  const Element end = OriginOf(context, {context.input(2), i});
  Span span;
  if (from_start && single) {
    span.size = 1;
    return span;
  }
  if (from_start) {
    span.size = dim;
    if (to_end) return span;
    if (const auto last = end.constant(); last && *last >= 0 && *last <= dim) {
      span.size = *last;
      return span;
    }
    return Unsupported("where dimension {} ends is computed from fed data", i);
  }
  if (begin.constant())
    span.start = *begin.constant();
  else
    span.computed = begin;
  const std::optional<int64_t> distance = single ? 1
                                          : to_end && begin.constant()
                                              ? std::optional(dim - span.start)
                                          : to_end ? std::nullopt
                                                   : DistanceOf(context, begin, end);
  if (!distance || *distance < 0 || span.start < 0 || *distance > dim - span.start)
    return Unsupported("how many elements it takes of dimension {} depends on fed data", i);
  span.size = *distance;
  return span;
}

// What a StridedSlice takes.
struct Part {
  Emitted start;  // per dimension
  Shape size;
  Shape result;  // without the dimensions of which it takes a single element
};

absl::StatusOr<Part> PartOf(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.ConstantInts(3, "strides"));
  SpanMasks masks;
  LINNET_ASSIGN_OR_RETURN(masks.begin, context.Int("begin_mask", 0));
  LINNET_ASSIGN_OR_RETURN(masks.end, context.Int("end_mask", 0));
  LINNET_ASSIGN_OR_RETURN(masks.shrink, context.Int("shrink_axis_mask", 0));
  LINNET_ASSIGN_OR_RETURN(const int64_t ellipsis, context.Int("ellipsis_mask", 0));
  LINNET_ASSIGN_OR_RETURN(const int64_t new_axis, context.Int("new_axis_mask", 0));
  const Shape& shape = context.shape(0);
  const int named = static_cast<int>(strides.size());
  if (context.Varies(0) || ellipsis != 0 || new_axis != 0 || named > shape.rank() ||
      context.shape(1) != Shape{named} || context.shape(2) != Shape{named} ||
      std::ranges::any_of(strides, [](int64_t stride) { return stride != 1; }))
    return Unsupported("its bounds are computed from fed data");
  const DType dtype = context.type(1).dtype;
  std::vector<Emitted> starts;
  Part part;
  for (int i = 0; i < shape.rank(); ++i) {
    Span span{.size = shape[i]};
    if (i < named) {
      LINNET_ASSIGN_OR_RETURN(span, SpanOf(context, masks, i));
    }
    const Emitted number = context.AddConstant(Constant::Of<int64_t>({1}, {span.start}), "number");
    starts.push_back(span.computed ? EmitSliceAlong(context, 0, i, 1, context.input(1), "begin")
                                   : EmitCast(context, dtype, number, "number/cast"));
    part.size.Append(span.size);
    if (i >= named || (masks.shrink >> i & 1) == 0) part.result.Append(span.size);
  }
  part.start = EmitJoined(context, starts, 0, "starts");
  return part;
}

}  // namespace

Emitted EmitUpdatedAt(LegalizeContext& context, Output x, const Emitted& update,
                      const Emitted& start, const Shape& stride) {
  if (!update.ok()) return update;
  const Shape& size = context.shape(*update);
  const int depth = AddressedDims(context.shape(x), size, stride);
  if (depth == 0) return update;
  const Emitted positions = EmitPositionsOf(context, size, stride, depth, start);
  return context.Emit(ScatterAttrs{.kind = schema::ScatterKind::Update}, {x, positions, update});
}

absl::Status SliceAtIndices(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, context.ConstantInts(2, "size"));
  const Shape& shape = context.shape(0);
  if (context.Varies(0)) return Unsupported("its extents vary");
  if (static_cast<int>(sizes.size()) != shape.rank() || context.shape(1) != Shape{shape.rank()})
    return Invalid("'begin' and 'size' of {} values for {}", sizes.size(), ShapeText(shape));
  for (int i = 0; i < shape.rank(); ++i) {
    int64_t& size = sizes[static_cast<size_t>(i)];
    const std::optional<int64_t> begin = OriginOf(context, {context.input(1), i}).constant();
    if (size == -1 && begin) size = shape[i] - *begin;
    if (size < 0 || size > shape[i]) return Unsupported("'size' is {} in dimension {}", size, i);
  }
  // Where a dimension is taken whole, its start is 0, or TensorFlow refuses.
  return context.Replace(EmitTakenAt(context, Shape(sizes), context.input(1)));
}

absl::Status StridedSliceAtIndices(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Part part, PartOf(context));
  const bool reshapes = part.result != part.size;
  const Emitted taken = EmitTakenAt(context, part.size, part.start, reshapes ? "part" : "");
  return context.Replace(EmitReshape(context, part.result, taken));
}

absl::Status StridedSliceUpdateAtIndices(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Part part, PartOf(context));
  Emitted update = EmitBroadcastTo(context, part.result, context.input(4), "update");
  update = EmitReshape(context, part.size, update, "update/part");
  return context.Replace(
      EmitUpdatedAt(context, context.input(0), update, part.start, Filled(part.size.rank(), 1)));
}

absl::Status XlaDynamicSlice(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                          context.ConstantInts(2, "size_indices"));
  LINNET_ASSIGN_OR_RETURN(const Shape size, CheckedShape(sizes));
  const Emitted start = EmitStartInside(context, size, context.input(1));
  return context.Replace(EmitTakenAt(context, size, start));
}

absl::Status XlaDynamicUpdateSlice(LegalizeContext& context) {
  const Emitted start = EmitStartInside(context, context.shape(1), context.input(2));
  return context.Replace(EmitUpdatedAt(context, context.input(0), context.input(1), start,
                                       Filled(context.shape(1).rank(), 1)));
}

}  // namespace linnet::converter
