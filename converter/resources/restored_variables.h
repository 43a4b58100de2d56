// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/checkpoint/tensor_bundle.h"
#include "converter/resources/variables.h"

namespace linnet::converter {

// The variables of a SavedModel, as TensorFlow's loader fills them: `restore_op` of `graph`
// (saver_def; inside a function for TF 2) reads tensors of `bundle` with RestoreV2 and assigns
// them. Nothing is run: which tensor goes where is read off the graph, on a copy of it. Variables
// that it does not assign are looked for in the checkpoint's object graph by their full name, then
// under their own. `notes` gets what was odd about the restore op.
std::unique_ptr<Variables> RestoredVariables(const Graph& graph, const std::string& restore_op,
                                             std::unique_ptr<TensorBundle> bundle,
                                             std::vector<std::string>* notes);

}  // namespace linnet::converter
