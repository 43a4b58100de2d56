// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/graph/graph.h"

// A state is a value that a session keeps from run to run. In the graph it is an _Arg with the
// value that the last run left and a _Retval with the value that this run leaves. Neither is an
// input or output of the program, so their index is -1.
namespace linnet::converter {

// The value of a state before the first run.
enum class StateStart {
  kVariable,  // the checkpoint's value of the variable that has the state's name
  kZeros
};

Node* AddState(Graph* graph, const std::string& name, const TensorType& type,
               StateStart start = StateStart::kVariable);
Node* AddNextState(Graph* graph, const std::string& name, Output value);

// The name of the state whose _Arg or _Retval `node` is; "" for every other node.
std::string StateName(const Node& node);
StateStart StartOf(const Node& state);  // of the _Arg
inline bool IsState(const Node& node) { return !StateName(node).empty(); }

}  // namespace linnet::converter
