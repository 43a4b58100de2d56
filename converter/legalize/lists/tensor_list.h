// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

// --- What the ops on lists share. Errors are about the node of the context. REQUIRES: no list is
// dense.

// The list that input `input` of the node stands for, with its items: those of a dense list of
// known length are its rows. Unimplemented for other dense lists.
absl::StatusOr<TensorList> ListOfItems(LegalizeContext& context, int input);
// Element `i`; zeros if it was never written. `shape` is the shape that the reading op states for
// elements, in the form of TensorList::element_shape. InvalidArgument for an index outside the
// list, Unimplemented where the shape of the zeros is not known.
Emitted EmitElement(LegalizeContext& context, const TensorList& list, int64_t i,
                    const std::optional<std::vector<int64_t>>& shape, std::string_view suffix);
// The elements at `indices` as one tensor, [number of indices, ...element]. Errors as above, and
// Unimplemented for elements of different shapes.
Emitted EmitStack(LegalizeContext& context, const TensorList& list,
                  const std::vector<int64_t>& indices,
                  const std::optional<std::vector<int64_t>>& shape, std::string_view suffix = "");
// Replaces the node: output 0 by all elements, concatenated along dimension 0, output 1 by the
// extents of the elements in dimension 0, i64 [number of elements]. `shape`: as above, with
// dimension 0 unknown. Unimplemented for an empty list.
absl::Status ReplaceByConcat(LegalizeContext& context, const TensorList& list,
                             const std::optional<std::vector<int64_t>>& shape);
// The inverse: splits `rows` along dimension 0 into pieces of lengths[i] rows each. InvalidArgument
// if the lengths do not sum up to the number of rows.
absl::StatusOr<std::vector<Output>> EmitPieces(LegalizeContext& context, Output rows,
                                               const std::vector<int64_t>& lengths);
// The rows of `rows`, without dimension 0, as elements of a list. InvalidArgument for a scalar,
// Unimplemented where their number varies.
absl::StatusOr<std::vector<Output>> EmitRows(LegalizeContext& context, Output rows);
// `list` with `item` at `index`; with list.may_grow it becomes longer where necessary.
// InvalidArgument for an index outside the list and for an item of another shape than the elements.
absl::StatusOr<TensorList> WithItem(const LegalizeContext& context, TensorList list, int64_t index,
                                    Output item);
// The value of input `input`, an `element_shape`: nullopt where it is a scalar (-1), else the
// dimensions, -1 for unknown ones.
absl::StatusOr<std::optional<std::vector<int64_t>>> ElementShape(const LegalizeContext& context,
                                                                 int input);
// The shape that has the known dimensions of both `a` and `b`. InvalidArgument where they
// contradict each other.
absl::StatusOr<std::optional<std::vector<int64_t>>> MergedShape(
    const std::optional<std::vector<int64_t>>& a, const std::optional<std::vector<int64_t>>& b);
std::vector<int64_t> Iota(int64_t count);

}  // namespace linnet::converter
