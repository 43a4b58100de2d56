// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/op_def.pb.h"

namespace linnet::converter {

// Definitions of the ops in `raw` that neither `registry` nor the library of functions has, on top
// of `registry`; nullptr where it has all. So a model may have ops that TensorFlow itself does not:
// those that the outputs do not need are pruned, the others are refused by `legalize`, and either
// end of them may be where the model is cut.
//
// The definitions come from `model_ops`, the list that a SavedModel keeps of its ops; null: there
// is none. What that lacks is made up of how the nodes are used: as many inputs as they have, as
// many outputs as are read, each of the type that the other end of the edge has (float where that
// is such an op, too). The types stand in attributes that are added to the nodes.
std::unique_ptr<OpTable> DefineCustomOps(const OpRegistry* registry, const tf::OpList* model_ops,
                                         RawGraph* raw);

}  // namespace linnet::converter
