// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/graph/graph.h"

// What a session keeps from run to run stands in the graph as two ends of the same name: an _Arg
// with the value that the last run left, and a _Retval with the value that this one leaves. Neither
// is an input or output of the program (index -1).
namespace linnet::converter {

// What a state is before the first run.
enum class StateStart {
  kVariable,  // what the checkpoint has for the variable of its name
  kZeros
};

Node* AddState(Graph* graph, const std::string& name, const TensorType& type,
               StateStart start = StateStart::kVariable);
Node* AddNextState(Graph* graph, const std::string& name, Output value);

// The name of the state that an _Arg or _Retval is an end of; "" for every other node.
std::string StateName(const Node& node);
// Of the _Arg.
StateStart StartOf(const Node& state);
inline bool IsState(const Node& node) { return !StateName(node).empty(); }

}  // namespace linnet::converter
