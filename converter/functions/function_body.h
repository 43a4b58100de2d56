// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/import/raw_graph.h"
#include "google/protobuf/map.h"

namespace linnet::converter {

using AttrValues = google::protobuf::Map<std::string, tf::AttrValue>;

// One function for one choice of attributes, as a graph of its own: an _Arg per argument and a
// _Retval per result (lists flattened, attribute `index`) around the body's nodes.
struct FunctionBody {
  std::unique_ptr<Graph> graph;
  std::vector<Node*> args, rets;    // by index
  std::vector<Node*> control_rets;  // nodes that must have run when the call is over
  std::vector<tf::DataType> arg_types, ret_types;
};

// What bodies are made with.
struct FunctionContext {
  const OpRegistry* registry;
  const FunctionLibrary* library;   // who else may be called
  tf::VersionDef versions;          // of the graph that calls
  ExpansionBudget* budget;          // for the constants of all bodies
  std::vector<std::string>* notes;  // what is odd but no error; may be null
};

// TensorFlow's InstantiateFunction, with its error texts: `attrs` replace the body's `$T`, what
// they lack comes from the signature's defaults. Constants are views into `function`.
absl::StatusOr<FunctionBody> InstantiateFunction(
    const std::shared_ptr<const tf::FunctionDef>& function, const AttrValues& attrs,
    const FunctionContext& context);

}  // namespace linnet::converter
