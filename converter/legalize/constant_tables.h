// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"

namespace linnet::converter {

// A problem for each op that changes a table, also in the functions that the graph calls, whether
// or not anybody reads what they return: lookups know what it holds at first only.
void CheckTablesAreConstant(const Graph& graph, Problems* problems);

}  // namespace linnet::converter
