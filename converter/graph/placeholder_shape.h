// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"
#include "schema/tensorflow/tensor_shape.pb.h"

namespace linnet::converter {

// The shape that a placeholder of any kind states; unknown_rank where it states none. Producers up
// to version 21 (and 0, a graph without versions) wrote `shape {}` both for a scalar and for an
// unknown shape of a Placeholder; it counts as unknown.
tf::TensorShapeProto PlaceholderShape(const Node& placeholder, int producer);

}  // namespace linnet::converter
