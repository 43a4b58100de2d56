// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "converter/graph/graph.h"
#include "schema/tensorflow/function.pb.h"

namespace linnet::converter {

// A part of a graph that becomes a function.
struct Region {
  std::vector<const Node*> nodes;  // those of the function, in its order
  std::vector<tf::DataType> arg_types;
  std::vector<Output> results;
  // Where the function finds a value that one of its nodes or results reads in the graph: an output
  // of one of `nodes`, or an argument (then `node` is null and `index` is the argument's).
  std::function<Output(Output)> resolve;
};

// The function, in the form that InstantiateFunction reads: arguments arg0, arg1, ... and results
// ret0, ret1, ... (with _ appended where a node has such a name), nodes with their names,
// attributes and constants, and the control edges between them. Control edges from outside are left
// to the caller.
tf::FunctionDef ToFunctionDef(const std::string& name, const Region& region);

}  // namespace linnet::converter
