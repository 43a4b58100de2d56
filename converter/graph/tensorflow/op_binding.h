// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "schema/tensorflow/node_def.pb.h"
#include "schema/tensorflow/op_def.pb.h"

// TensorFlow's rules between a NodeDef and its OpDef; the texts are TensorFlow's.
namespace linnet::converter {

// Types of all inputs and outputs, list arguments flattened. InvalidArgument "NodeDef missing attr
// 'T' from Op<...>; NodeDef: {{node x}}".
absl::Status InOutTypes(const tf::NodeDef& node, const tf::OpDef& op,
                        std::vector<tf::DataType>* inputs, std::vector<tf::DataType>* outputs);

// Fills every missing attribute that has a default.
void AddDefaults(const tf::OpDef& op, tf::NodeDef* node);

// Attributes complete, of the right type, allowed and not below their minimum; inputs as many as
// the attributes say and controls last. Attributes that `op` does not know are fine: newer
// producers.
absl::Status ValidateNodeDef(const tf::NodeDef& node, const tf::OpDef& op);

// Unimplemented "Op X is not available in GraphDef version P. It has been removed in version D.
// ...".
absl::Status CheckDeprecation(const tf::NodeDef& node, const tf::OpDef& op, int producer);

// "Op<name=Conv2D; signature=input:T, filter:T -> output:T; attr=T:type,allowed=[...]...>".
std::string SummarizeOpDef(const tf::OpDef& op);
// "{{node x}}".
std::string FormatNode(std::string_view name);
// Sets the attributes that follow from the types of the inputs (type, number and list(type)
// attributes of arguments) where `node` lacks them. `input_types` is flattened; stops quietly where
// it cannot know.
void InferAttrsFromInputs(const tf::OpDef& op, const std::vector<tf::DataType>& input_types,
                          tf::NodeDef* node);

}  // namespace linnet::converter
