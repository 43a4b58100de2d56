// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/legalize/context/legalize_context.h"
#include "converter/legalize/context/tensor_lists.h"

// Lists whose indices or length are known only when the plan runs: in loops that stay, and where
// the length varies. One tensor has a row for each element that there may be, so that shapes inside
// loops are fixed; reading is a Gather, writing a Scatter, and what leaves the list is cut to its
// length.
namespace linnet::converter {

// The list as one tensor, if it is not one yet. Its rows stay empty where nothing was written and
// the shape of the elements is not known.
absl::StatusOr<TensorList> MakeDense(LegalizeContext& context, TensorList list,
                                     std::string_view suffix);
// A list of as many elements as `rows` has, which varies.
absl::StatusOr<TensorList> DenseFromRows(LegalizeContext& context, TensorList list, Output rows);
// A list of `length` elements, none of them written.
TensorList DenseOfLength(const LegalizeContext& context, TensorList list, const Extent& length);

// REQUIRES for all below: list.is_dense.

// The element at the i32 scalar `index`, or one for each of several; kBadIndex when running where
// there is no such row.
Emitted EmitDenseElement(LegalizeContext& context, const TensorList& list, const Emitted& index);
// `list` with `item` at the i32 scalar `index`. `may_grow`: TensorFlow's list becomes longer where
// `index` is behind its end; Unimplemented, as that cannot be, unless it is known to lie within.
absl::StatusOr<TensorList> WithDenseItem(LegalizeContext& context, TensorList list, Output index,
                                         Output item, bool may_grow);
// `list` with row i of `items` at indices[i].
absl::StatusOr<TensorList> WithDenseItems(LegalizeContext& context, TensorList list, Output indices,
                                          Output items, bool may_grow);
// All elements of the list, one above the other.
Emitted EmitDenseStack(LegalizeContext& context, const TensorList& list,
                       std::string_view suffix = "");
// How many there are: an i32 scalar.
Emitted EmitDenseLength(LegalizeContext& context, const TensorList& list);

}  // namespace linnet::converter
