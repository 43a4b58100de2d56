// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

// --- What the ops on lists are made of. Errors are the node's.

// Element `i`, zeros where it was never written. `shape`: what the reader says of it, as
// TensorList::element_shape. OutOfRange-like Invalid for a bad index.
Emitted EmitElement(LegalizeContext& context, const TensorList& list, int64_t i,
                    const std::optional<std::vector<int64_t>>& shape, std::string_view suffix);
// All elements of `indices` one above the other: [indices, ...element].
Emitted EmitStack(LegalizeContext& context, const TensorList& list,
                  const std::vector<int64_t>& indices,
                  const std::optional<std::vector<int64_t>>& shape, std::string_view suffix = "");
// Output 0 of the node: the elements one behind the other along their first dimension; output 1:
// how many rows each has. `shape`: as above, the first dimension unknown. Ends the node.
absl::Status ReplaceByConcat(LegalizeContext& context, const TensorList& list,
                             const std::optional<std::vector<int64_t>>& shape);
// The inverse: `lengths` rows of `rows` at a time.
absl::StatusOr<std::vector<Output>> EmitPieces(LegalizeContext& context, Output rows,
                                               const std::vector<int64_t>& lengths);
// The rows of `rows` (rank >= 1) as elements of a list.
absl::StatusOr<std::vector<Output>> EmitRows(LegalizeContext& context, Output rows);
// `list` with `item` at `index`.
absl::StatusOr<TensorList> WithItem(const LegalizeContext& context, TensorList list, int64_t index,
                                    Output item);
// An `element_shape` input: a scalar -1, or dimensions of which -1 are unknown.
absl::StatusOr<std::optional<std::vector<int64_t>>> ElementShape(const LegalizeContext& context,
                                                                 int input);
// An unknown and a known shape agree on the known one.
absl::StatusOr<std::optional<std::vector<int64_t>>> MergedShape(
    const std::optional<std::vector<int64_t>>& a, const std::optional<std::vector<int64_t>>& b);
std::vector<int64_t> Iota(int64_t count);

}  // namespace linnet::converter
