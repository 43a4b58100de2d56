// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "schema/tensorflow/node_def.pb.h"
#include "schema/tensorflow/op_def.pb.h"

// TensorFlow's rules about a NodeDef and its OpDef, with TensorFlow's error messages.
namespace linnet::converter {

// Types of all inputs and outputs, list arguments flattened. InvalidArgument "NodeDef missing attr
// 'T' from Op<...>; NodeDef: {{node x}}".
absl::Status InOutTypes(const tf::NodeDef& node, const tf::OpDef& op,
                        std::vector<tf::DataType>* inputs, std::vector<tf::DataType>* outputs);

// Fills every missing attribute that has a default.
void AddDefaults(const tf::OpDef& op, tf::NodeDef* node);

// Checks that every attribute of `op` is there, of the right type, allowed and not below its
// minimum, that there are as many inputs as the attributes say and that control inputs come last.
// Attributes that `op` does not know are ignored: a newer TensorFlow may write them.
absl::Status ValidateNodeDef(const tf::NodeDef& node, const tf::OpDef& op);

// Unimplemented "Op X is not available in GraphDef version P. It has been removed in version D.
// ...".
absl::Status CheckDeprecation(const tf::NodeDef& node, const tf::OpDef& op, int producer);

// "Op<name=Conv2D; signature=input:T, filter:T -> output:T; attr=T:type,allowed=[...]...>".
std::string SummarizeOpDef(const tf::OpDef& op);
// "{{node x}}".
std::string FormatNode(std::string_view name);
// Sets the attributes that follow from the types of the inputs (type, number and list(type)
// attributes of arguments) where `node` lacks them. `input_types` is flattened. Attributes that
// cannot be inferred stay unset, without an error.
void InferAttrsFromInputs(const tf::OpDef& op, const std::vector<tf::DataType>& input_types,
                          tf::NodeDef* node);

}  // namespace linnet::converter
