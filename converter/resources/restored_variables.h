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

// The variables of a SavedModel as TensorFlow's loader restores them: `restore_op` of `graph` (from
// saver_def; it may call a function that does the work) reads tensors of `bundle` with RestoreV2
// and assigns them. Nothing is run: a copy of the graph shows which tensor belongs to which
// variable. Variables without such an assignment are looked up by their full name in the
// checkpoint's object graph, then by their name among its tensors. `notes` gets a warning where the
// restore op cannot be followed.
std::unique_ptr<Variables> RestoredVariables(const Graph& graph, const std::string& restore_op,
                                             std::unique_ptr<TensorBundle> bundle,
                                             std::vector<std::string>* notes);

}  // namespace linnet::converter
