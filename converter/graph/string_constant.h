// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "converter/graph/graph.h"
#include "schema/tensorflow/tensor.pb.h"

// Constants of strings. Linnet has no tensors of strings: the node keeps the TensorProto as its
// attribute `value`, and HasType(0) is false.
namespace linnet::converter {

struct StringTensor {
  Shape shape;
  std::vector<std::string> values;  // as many as the shape has elements
};

// The strings of a Const; nullopt for any other node, and for an invalid or too large value.
std::optional<StringTensor> StringsOf(const Node& node);
absl::StatusOr<Node*> AddStrings(Graph* graph, std::string name, StringTensor strings);

}  // namespace linnet::converter
