// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Dimensions as far as known, -1 where not; nullopt when not even the rank is.
using PartialShape = std::optional<std::vector<int64_t>>;

PartialShape ToPartialShape(const tf::TensorShapeProto& shape);

// What the graph itself says about the shape of an output.
PartialShape DeclaredShape(const Graph& graph, const Node& node, int slot);

// `shape`, its unknown dimensions taken from `known` where that has the same rank.
PartialShape Completed(PartialShape shape, const PartialShape& known);

// May both be true of one tensor?
bool Agree(const PartialShape& a, const PartialShape& b);

// "1x?x?x3", "scalar", "DIMxDIMx.." as --input takes it.
std::string ShapeArgument(const PartialShape& shape);
// "[1,?,3]", "<unknown>".
std::string PartialShapeText(const PartialShape& shape);

}  // namespace linnet::converter
