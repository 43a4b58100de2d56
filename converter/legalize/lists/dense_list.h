// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/legalize_context.h"
#include "converter/legalize/context/tensor_lists.h"

// Dense lists, for lists whose indices or length are known only when the plan runs: lists in loops
// that are not unrolled, and lists whose length varies. One tensor has a row for each element that
// the list may have at most, so that shapes inside loops are fixed. Reading is a Gather, writing a
// Scatter; a stack of all elements is a Slice to the length. Errors are about the node of the
// context.
namespace linnet::converter {

// The list as a dense one; `suffix` names the ops that make its rows. TensorList::rows stays empty
// where nothing was written and the shape of the elements is not known. Unimplemented where the
// elements have different shapes or are lists.
absl::StatusOr<TensorList> MakeDense(LegalizeContext& context, TensorList list,
                                     std::string_view suffix);
// `list` with the rows of `rows`, [length, ...element], as its elements, where the length may vary.
// Unimplemented if other extents vary.
absl::StatusOr<TensorList> DenseFromRows(LegalizeContext& context, TensorList list, Output rows);
// `list` as a dense list of `length` elements, none of them written. REQUIRES: it has no rows.
TensorList DenseOfLength(const LegalizeContext& context, TensorList list, const Extent& length);

// REQUIRES for all below: list.is_dense.

// The element at the i32 scalar `index`, or for several indices [...indices, ...element]. A run
// fails with kBadIndex for an index without a row. Unimplemented if list.rows is empty.
Emitted EmitDenseElement(LegalizeContext& context, const TensorList& list, const Emitted& index);
// `list` with `item` at the i32 scalar `index`. `may_grow`: in TensorFlow the list would become
// longer if `index` is behind its end. A dense list cannot, so that is Unimplemented unless the
// length is fixed and `index` is known to be smaller. Unimplemented also for a list of no elements,
// InvalidArgument if the shape of `item` is not that of the elements.
absl::StatusOr<TensorList> WithDenseItem(LegalizeContext& context, TensorList list, Output index,
                                         Output item, bool may_grow);
// `list` with row i of `items` at indices[i], likewise.
absl::StatusOr<TensorList> WithDenseItems(LegalizeContext& context, TensorList list, Output indices,
                                          Output items, bool may_grow);
// All elements of the list as one tensor, [length, ...element]. Unimplemented in a region if the
// length varies, or if list.rows is empty.
Emitted EmitDenseStack(LegalizeContext& context, const TensorList& list,
                       std::string_view suffix = "");
// The length of the list, an i32 scalar. If it varies, errors as for EmitDenseStack.
Emitted EmitDenseLength(LegalizeContext& context, const TensorList& list);

}  // namespace linnet::converter
