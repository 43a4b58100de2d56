// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// A switch of many ways, which TensorFlow makes of a Case, as switches of two:
//   _SwitchN(x, index) => Switch(x, index == 0), of whose false side Switch(.., index == 1) and so
//   on Merge(a, b, c) => Merge(a, Merge(b, c))
// An index out of range goes the last way, as in TensorFlow. Merges whose inputs are not in the
// order of the ways, and those whose second output is read, are left as they are or do not fit
// afterwards, which is found later. Long names of new nodes are taken from *room
// (graph/name_cost.h). Returns the number of nodes that were split.
absl::StatusOr<int> SplitSwitches(Graph& graph, int64_t* room);

}  // namespace linnet::converter
