// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/graph/graph.h"

namespace linnet::converter {

// What to feed instead of strings, which no plan has: the first tensors behind `strings` that are
// numbers, such as a decoded picture or the ids of words. "" where there are none.
std::string InsteadOfStrings(const Graph& graph, Output strings);

}  // namespace linnet::converter
