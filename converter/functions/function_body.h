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

// A function, instantiated for one choice of attributes, as a graph of its own: the nodes of the
// body, an _Arg for each argument and a _Retval for each result. Arguments that are lists are
// flattened; attribute `index` counts.
struct FunctionBody {
  std::unique_ptr<Graph> graph;
  std::vector<Node*> args, rets;    // by index
  std::vector<Node*> control_rets;  // nodes that must run before the call ends
  std::vector<tf::DataType> arg_types, ret_types;
};

struct FunctionContext {
  const OpRegistry* registry;
  const FunctionLibrary* library;   // functions that the body may call
  tf::VersionDef versions;          // of the graph that calls
  int64_t* constant_room;           // for the constants of all bodies, see ConstantFromTensor
  std::vector<std::string>* notes;  // for warnings; may be null
};

// TensorFlow's InstantiateFunction, with its error texts: `attrs`, or else the defaults of the
// signature, replace placeholders such as `$T` in the body. Constants are views into `function`.
absl::StatusOr<FunctionBody> InstantiateFunction(
    const std::shared_ptr<const tf::FunctionDef>& function, const AttrValues& attrs,
    const FunctionContext& context);

}  // namespace linnet::converter
