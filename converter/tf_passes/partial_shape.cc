// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/partial_shape.h"

#include <algorithm>
#include <string_view>

#include "converter/graph/placeholder_shape.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

std::string Joined(const std::vector<int64_t>& dims, std::string_view separator) {
  std::vector<std::string> texts;
  texts.reserve(dims.size());
  for (const int64_t dim : dims) texts.push_back(dim < 0 ? "?" : std::to_string(dim));
  return fmt::format("{}", fmt::join(texts, separator));
}

}  // namespace

PartialShape ToPartialShape(const tf::TensorShapeProto& shape) {
  if (shape.unknown_rank()) return std::nullopt;
  std::vector<int64_t> dims;
  for (const auto& dim : shape.dim()) dims.push_back(dim.size());
  return dims;
}

PartialShape DeclaredShape(const Graph& graph, const Node& node, int slot) {
  if (node.HasType(slot)) {
    const Shape& shape = node.type(slot).shape;
    return std::vector<int64_t>(shape.begin(), shape.end());
  }
  if (node.node_class() == NodeClass::kPlaceholder)
    return ToPartialShape(PlaceholderShape(node, graph.versions().producer()));
  if (node.op_name() == "EnsureShape" && node.FindAttr("shape") != nullptr)
    return ToPartialShape(node.FindAttr("shape")->shape());
  const tf::AttrValue* inferred = node.FindAttr("_output_shapes");
  if (inferred != nullptr && slot < inferred->list().shape_size())
    return ToPartialShape(inferred->list().shape(slot));
  return std::nullopt;
}

PartialShape Completed(PartialShape shape, const PartialShape& known) {
  if (!shape || !known || shape->size() != known->size()) return shape;
  for (size_t i = 0; i < shape->size(); ++i)
    if ((*shape)[i] < 0) (*shape)[i] = (*known)[i];
  return shape;
}

bool Agree(const PartialShape& a, const PartialShape& b) {
  if (!a || !b) return true;
  return std::ranges::equal(*a, *b, [](int64_t x, int64_t y) { return x < 0 || y < 0 || x == y; });
}

std::string ShapeArgument(const PartialShape& shape) {
  if (!shape) return "DIMxDIMx..";
  return shape->empty() ? "scalar" : Joined(*shape, "x");
}

std::string PartialShapeText(const PartialShape& shape) {
  return shape ? fmt::format("[{}]", Joined(*shape, ",")) : "<unknown>";
}

}  // namespace linnet::converter
