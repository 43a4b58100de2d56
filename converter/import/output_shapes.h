// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// What attr _output_shapes says of `node`'s outputs: a shape for each, that agrees with what the
// node states itself, as the value of a Const of numbers or as attr shape of a placeholder.
// TensorFlow's words.
//
// TensorFlow holds it to every shape that it infers, too. Linnet infers more than TensorFlow does,
// so that it would refuse what TensorFlow accepts, and believes its own inference alone.
absl::Status CheckOutputShapes(const Node& node, int producer);

}  // namespace linnet::converter
