// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/variables.h"

#include "converter/functions/variable_ops.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {

absl::StatusOr<Constant> ReadVariable(const Variables* variables, const Node& variable) {
  if (variables == nullptr)
    return absl::NotFoundError("the model has no checkpoint with a value for it");
  absl::StatusOr<Constant> value = variables->Read(VariableName(variable));
  if (!value.ok()) return value;
  const tf::AttrValue* dtype = variable.FindAttr("dtype");
  const tf::AttrValue* shape = variable.FindAttr("shape");
  const tf::DataType got = ToDataType(value->type.dtype);
  if (dtype != nullptr && dtype->type() != got)
    return absl::InvalidArgumentError(fmt::format(
        "is {}, but the checkpoint has {}", DataTypeString(dtype->type()), DataTypeString(got)));
  if (shape == nullptr || shape->shape().unknown_rank()) return value;
  const auto& dims = shape->shape().dim();
  // Variables of TensorFlow 1 may have the shape [] where it is not known.
  bool fits = dims.size() == value->type.shape.rank() ||
              (dims.empty() && variable.node_class() == NodeClass::kVariable);
  for (int i = 0; fits && i < dims.size(); ++i)
    fits = dims[i].size() < 0 || dims[i].size() == value->type.shape[i];
  if (!fits) return absl::InvalidArgumentError("the checkpoint has another shape than the graph");
  return value;
}

}  // namespace linnet::converter
