// SPDX-License-Identifier: Apache-2.0
#include "converter/import/output_shapes.h"

#include <algorithm>

#include "converter/graph/placeholder_shape.h"
#include "converter/graph/tensorflow/attr_value.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// unknown_rank where the node states nothing.
tf::TensorShapeProto StatedShape(const Node& node, int producer) {
  if (node.node_class() == NodeClass::kPlaceholder) return PlaceholderShape(node, producer);
  if (node.IsConstant() && node.HasType(0)) return ToShapeProto(node.type(0).shape);
  tf::TensorShapeProto unknown;
  unknown.set_unknown_rank(true);
  return unknown;
}

bool Agree(const tf::TensorShapeProto& a, const tf::TensorShapeProto& b) {
  if (a.unknown_rank() || b.unknown_rank()) return true;
  return std::ranges::equal(a.dim(), b.dim(), [](const auto& x, const auto& y) {
    return x.size() < 0 || y.size() < 0 || x.size() == y.size();
  });
}

}  // namespace

absl::Status CheckOutputShapes(const Node& node, int producer) {
  const tf::AttrValue* attr = node.FindAttr("_output_shapes");
  if (attr == nullptr || attr->value_case() != tf::AttrValue::kList) return absl::OkStatus();
  const auto& shapes = attr->list().shape();
  const size_t num_outputs = node.tf_output_types().size();
  if (static_cast<size_t>(shapes.size()) < num_outputs)
    return absl::InvalidArgumentError(fmt::format(
        "Node '{}' has {} outputs but the _output_shapes attribute specifies shapes for {} outputs",
        node.name(), num_outputs, shapes.size()));
  for (int i = 0; i < static_cast<int>(num_outputs); ++i)  // surplus shapes are ignored
    if (const absl::Status s = CheckShape(shapes[i]); !s.ok())
      return absl::InvalidArgumentError(
          fmt::format("Node '{}' has an invalid _output_shapes attribute (shape #{} error: '{}')",
                      node.name(), i, std::string(s.message())));
  if (num_outputs == 0) return absl::OkStatus();
  const tf::TensorShapeProto stated = StatedShape(node, producer);
  if (Agree(stated, shapes[0])) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "Node '{}' has an _output_shapes attribute inconsistent with the GraphDef for output #0: "
      "Shapes are {} and {}",
      node.name(), ShapeString(stated), ShapeString(shapes[0])));
}

}  // namespace linnet::converter
