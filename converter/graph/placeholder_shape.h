// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"
#include "schema/tensorflow/tensor_shape.pb.h"

namespace linnet::converter {

// What a placeholder of any kind says of its own shape; unknown_rank when it says nothing.
// Producers up to version 21, 0 for "no versions" included, wrote `shape {}` for a Placeholder
// whose shape is not known, as for a scalar: there it says nothing.
tf::TensorShapeProto PlaceholderShape(const Node& placeholder, int producer);

}  // namespace linnet::converter
