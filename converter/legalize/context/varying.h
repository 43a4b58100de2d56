// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/legalize_context.h"

// Ops whose attributes are extents that may differ from run to run. With constant extents they are
// what building_blocks.h gives.
namespace linnet::converter {

// The largest of each.
absl::StatusOr<Shape> LargestShape(const LegalizeContext& context, const Extents& extents);
// The attributes in slot `first_slot` and up take these extents.
void Vary(const Extents& extents, int first_slot, OpAttrs* attrs);
// REQUIRES: AllConstant(extents).
std::vector<int64_t> Constants(const Extents& extents);

// The attributes of an op whose `shape`, in slot 0 and up, is what comes out.
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
// Strides other than 1 and -1 only along dimensions that are fixed. x itself when it is all of it.
Emitted EmitSlice(LegalizeContext& context, const Extents& begin, const Extents& size,
                  const Shape& stride, const Emitted& x, std::string_view suffix = "");
// The first `count` rows of x.
Emitted EmitFirst(LegalizeContext& context, const Extent& count, const Emitted& x,
                  std::string_view suffix = "");
// x as a vector. Unimplemented when its extent is no sum of symbols.
Emitted EmitFlat(LegalizeContext& context, const Emitted& x, std::string_view suffix);
// The positions of x's elements that are not zero, i64 [how many there are, rank].
Emitted EmitWhere(LegalizeContext& context, const Emitted& x, std::string_view suffix = "");
// x's extents as a tensor of integers.
Emitted EmitShapeOf(LegalizeContext& context, DType dtype, const Emitted& x,
                    std::string_view suffix = "");

// The extents that `shape`, the largest, stands for after a reshape of x that moves no boundary
// between the dimension that varies and its neighbours. Unimplemented where that is not clear.
absl::StatusOr<Extents> ReshapedExtents(const LegalizeContext& context, Output x,
                                        const Shape& shape);
// What -1 among `wanted` stands for, as in Reshape. Unimplemented when no sum of symbols does.
absl::StatusOr<Extents> FillMissingExtent(const LegalizeContext& context, Output x, Extents wanted);

}  // namespace linnet::converter
