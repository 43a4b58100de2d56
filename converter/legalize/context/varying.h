// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "converter/legalize/context/legalize_context.h"

// Ops whose attributes are extents that may vary from run to run. Where all are constant, the ops
// are those of building_blocks.h.
namespace linnet::converter {

// Whether x has these extents in every run.
bool HasExtents(const LegalizeContext& context, Output x, const Extents& extents);

// False for two extents that differ in every run. Those of two inputs that vary may turn out to be
// equal, which the rule of the op that wants it finds.
bool MayBeEqual(const Extent& a, const Extent& b);

// extent / divisor, or nullopt where that is no whole number for all values of the symbols.
std::optional<Extent> DividedExactly(const LegalizeContext& context, const Extent& extent,
                                     int64_t divisor);

// Input 0 must be pictures of rank 4, of which only the batch may vary.
absl::Status OnlyBatchVaries(const LegalizeContext& context);

// The shape with each extent at its largest.
absl::StatusOr<Shape> LargestShape(const LegalizeContext& context, const Extents& extents);
// The largest height and width of a picture. InvalidArgument where they are not both at least 1 and
// an int.
absl::StatusOr<Shape> LargestPicture(const LegalizeContext& context, const Extents& size);
// Elements of input i as extents that attributes can be. A sum of symbols that is below 0 while all
// of them are at their largest, which no run has together, becomes a symbol of its own.
absl::StatusOr<Extents> AttributeExtents(LegalizeContext& context, int i, const char* what);
// Sets the extents of the attribute slots from `first_slot` on; constant ones need no slot.
void Vary(const Extents& extents, int first_slot, OpAttrs* attrs);
// The attributes of an op that makes pictures of this height and width: attributes output_h and
// output_w, slots 0 and 1. InvalidArgument for sizes that cannot be.
template <typename Attrs>
absl::StatusOr<OpAttrs> WithOutputSize(const LegalizeContext& context, Attrs attrs,
                                       const Extents& size) {
  LINNET_ASSIGN_OR_RETURN(const Shape largest, LargestPicture(context, size));
  attrs.output_h = static_cast<int>(largest[0]);
  attrs.output_w = static_cast<int>(largest[1]);
  OpAttrs varying = attrs;
  Vary(size, 0, &varying);
  return varying;
}
// REQUIRES: AllConstant(extents).
std::vector<int64_t> Constants(const Extents& extents);

// The attributes of an op whose result has these extents: attribute `shape`, slots 0 and up.
template <typename Attrs>
absl::StatusOr<OpAttrs> WithShape(const LegalizeContext& context, Attrs attrs,
                                  const Extents& extents) {
  LINNET_ASSIGN_OR_RETURN(attrs.shape, LargestShape(context, extents));
  OpAttrs varying = attrs;
  Vary(extents, 0, &varying);
  return varying;
}

// x itself when it has these extents.
Emitted EmitReshape(LegalizeContext& context, const Extents& extents, const Emitted& x,
                    std::string_view suffix = "");
Emitted EmitBroadcastTo(LegalizeContext& context, const Extents& extents, const Emitted& x,
                        std::string_view suffix = "");
// Strides other than 1 and -1 are for dimensions that do not vary. x itself when the slice is all
// of it.
Emitted EmitSlice(LegalizeContext& context, const Extents& begin, const Extents& size,
                  const Shape& stride, const Emitted& x, std::string_view suffix = "");
// Zeros around x.
Emitted EmitMargins(LegalizeContext& context, const Extents& before, const Extents& after,
                    const Emitted& x, std::string_view suffix = "");
// The first `size` elements of each dimension; x itself when that is all of it.
Emitted EmitCutTo(LegalizeContext& context, const Extents& size, const Emitted& x,
                  std::string_view suffix = "");
// The first `count` rows of x.
Emitted EmitFirst(LegalizeContext& context, const Extent& count, const Emitted& x,
                  std::string_view suffix = "");
// x as a vector.
Emitted EmitFlat(LegalizeContext& context, const Emitted& x, std::string_view suffix);
// The positions of the elements of x that are not zero, i64 [number of these elements, rank].
Emitted EmitWhere(LegalizeContext& context, const Emitted& x, std::string_view suffix = "");
// x's extents as a tensor of integers.
Emitted EmitShapeOf(LegalizeContext& context, DType dtype, const Emitted& x,
                    std::string_view suffix = "");

// The extents of x reshaped to `shape`, which has the largest ones. Each dimension of x that varies
// must stay a dimension of its own. Unimplemented where it is not clear which one that is.
absl::StatusOr<Extents> ReshapedExtents(const LegalizeContext& context, Output x,
                                        const Shape& shape);
// `wanted` with its -1, if any, replaced by what is left of x's elements, as in Reshape. Where that
// is no sum of symbols, it is computed in each run. Unimplemented when it does not follow from x.
absl::StatusOr<Extents> FillMissingExtent(LegalizeContext& context, Output x, Extents wanted);

}  // namespace linnet::converter
