// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/placeholder_shape.h"

namespace linnet::converter {

tf::TensorShapeProto PlaceholderShape(const Node& placeholder, int producer) {
  constexpr int kLastAmbiguousProducer = 21;
  tf::TensorShapeProto unknown;
  unknown.set_unknown_rank(true);
  const tf::AttrValue* attr = placeholder.FindAttr("shape");
  if (attr == nullptr || attr->value_case() != tf::AttrValue::kShape) return unknown;
  const bool is_ambiguous = attr->shape().dim().empty() && placeholder.op_name() == "Placeholder" &&
                            producer <= kLastAmbiguousProducer;
  return is_ambiguous ? unknown : attr->shape();
}

}  // namespace linnet::converter
