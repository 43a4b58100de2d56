// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/partial_shape.h"

#include <algorithm>

#include "converter/graph/placeholder_shape.h"

namespace linnet::converter {
namespace {

PartialShape FromProto(const tf::TensorShapeProto& proto) {
  if (proto.unknown_rank()) return std::nullopt;
  std::vector<int64_t> dims;
  for (const auto& dim : proto.dim()) dims.push_back(dim.size());
  return dims;
}

}  // namespace

PartialShape DeclaredShape(const Graph& graph, const Node& node, int slot) {
  if (node.HasType(slot)) {
    const Shape& shape = node.type(slot).shape;
    return std::vector<int64_t>(shape.begin(), shape.end());
  }
  if (node.node_class() == NodeClass::kPlaceholder)
    return FromProto(PlaceholderShape(node, graph.versions().producer()));
  const tf::AttrValue* inferred = node.FindAttr("_output_shapes");
  if (inferred != nullptr && slot < inferred->list().shape_size())
    return FromProto(inferred->list().shape(slot));
  return std::nullopt;
}

std::string ShapeArgument(const PartialShape& shape) {
  if (!shape) return "DIMxDIMx..";
  if (shape->empty()) return "scalar";
  std::string text;
  for (int64_t dim : *shape) {
    if (!text.empty()) text += 'x';
    text += dim < 0 ? "?" : std::to_string(dim);
  }
  return text;
}

std::string PartialShapeText(const PartialShape& shape) {
  if (!shape) return "<unknown>";
  std::string text = "[";
  for (const int64_t dim : *shape) {
    if (text.size() > 1) text += ',';
    text += dim < 0 ? "?" : std::to_string(dim);
  }
  return text + "]";
}

bool Agree(const PartialShape& a, const PartialShape& b) {
  if (!a || !b) return true;
  return std::ranges::equal(*a, *b, [](int64_t x, int64_t y) { return x < 0 || y < 0 || x == y; });
}

}  // namespace linnet::converter
