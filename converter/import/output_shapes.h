// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// Attribute _output_shapes must have a valid shape for each output of `node`, and the first must
// agree with the shape that a Const of numbers or a placeholder has. InvalidArgument with
// TensorFlow's texts.
//
// TensorFlow also compares the attribute with the shapes that it infers. Linnet infers more shapes
// than TensorFlow, so that it would refuse models which TensorFlow accepts: it does not compare.
absl::Status CheckOutputShapes(const Node& node, int producer);

}  // namespace linnet::converter
