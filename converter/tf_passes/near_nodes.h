// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "converter/graph/graph.h"

namespace linnet::converter {

// "there is 'a/x', 'b/x'": the nodes with outputs that `name`, which no node has, may mean; the
// names of nodes in functions begin with those of the calls. "" where none is like it.
std::string NearNodes(const Graph& graph, std::string_view name);

}  // namespace linnet::converter
