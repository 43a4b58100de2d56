// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/control_flow/conditions.h"

#include "converter/graph/node_class.h"
#include "converter/legalize/context/building_blocks.h"

namespace linnet::converter {

absl::Status CheckCondition(const Node& node, const TensorType& type) {
  const tf::AttrValue* lowered = node.FindAttr(kLowerUsingSwitchMerge);
  if (lowered == nullptr || !lowered->b()) return absl::OkStatus();
  if (type == TensorType{DType::kBool, Shape{}}) return absl::OkStatus();
  return Invalid("its condition is {}{}, but a Switch wants one bool", DTypeName(type.dtype),
                 ShapeText(type.shape));
}

Emitted EmitTruth(LegalizeContext& context, Output value) {
  if (!value.node->HasType(value.index)) return Unsupported("its condition is no tensor");
  const TensorType type = context.type(value);
  LINNET_RETURN_IF_ERROR(CheckCondition(context.node(), type));
  if (type.shape.rank() != 0 && context.Varies(value))
    return Unsupported("its condition is a tensor of {}, which may be empty",
                       context.symbols().Text(context.extents(value)));
  if (type.shape.rank() != 0)
    return context.AddScalar(DType::kBool, type.shape.num_elements() > 0 ? 1.0 : 0.0, "condition");
  if (type.dtype == DType::kBool) return value;
  const Output zero = context.AddScalar(type.dtype, 0.0, "zero");
  return EmitCompare(context, CompareKind::NotEqual, value, zero, "condition");
}

}  // namespace linnet::converter
