// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "converter/graph/graph.h"
#include "schema/tensorflow/tensor.pb.h"

// Constants of strings. Linnet has no such tensors: the node keeps the message as its attribute
// `value`, and HasType(0) is false.
namespace linnet::converter {

struct StringTensor {
  Shape shape;
  std::vector<std::string> values;  // as many as the shape has elements
};

// nullopt for any other node, and for a value that is damaged.
std::optional<StringTensor> StringsOf(const Node& node);
absl::StatusOr<Node*> AddStrings(Graph* graph, std::string name, StringTensor strings);

}  // namespace linnet::converter
