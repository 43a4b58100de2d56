// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "converter/graph/graph.h"
#include "schema/tensorflow/function.pb.h"

namespace linnet::converter {

// A part of a graph that becomes a function. The graph itself is only read.
struct Region {
  std::vector<const Node*> nodes;  // what the function computes with, in this order
  std::vector<tf::DataType> arg_types;
  std::vector<Output> results;
  // What stands for a value that a node of the region, or a result, reads: an output of a node in
  // `nodes`, or an argument (then `node` is null and `index` the argument's).
  std::function<Output(Output)> resolve;
};

// The function, in the form that InstantiateFunction reads: arguments arg0, arg1, ... and results
// ret0, ret1, ... (longer where nodes have such names), nodes under their own names, attributes
// copied, constants encoded. Control edges between nodes of the region stay; those from outside are
// for the caller to keep.
tf::FunctionDef ToFunctionDef(const std::string& name, const Region& region);

}  // namespace linnet::converter
