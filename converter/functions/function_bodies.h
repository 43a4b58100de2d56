// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/functions/function_body.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// A function and the attributes that it is instantiated with.
struct Callee {
  std::string function;
  AttrValues attrs;
};

// Equal for calls that may share a body. Maps inside attributes of functions may be written in
// several orders, which only costs a second body.
std::string KeyOf(const Callee& callee);

// Does the node call a function and nothing else: a function's own op, PartitionedCall,
// StatefulPartitionedCall?
bool IsCall(const Node& node);
// What such a node calls; an empty name where that is missing.
Callee CalleeOf(const Node& node);

// Names of all functions that the nodes may call, at any depth, sorted.
std::vector<std::string> FunctionsReached(const FunctionLibrary& functions,
                                          std::span<Node* const> nodes);

// The bodies of the functions that a graph calls, each instantiated once per choice of attributes.
class FunctionBodies {
 public:
  // Constants of bodies, written as a few repeated values, take their bytes from *constant_room;
  // null: the bound that ExpansionBudget has. `notes` (may be null) takes what is odd but no error.
  FunctionBodies(const Graph& graph, int64_t* constant_room, std::vector<std::string>* notes);

  // The body, or why there is none: InvalidArgument for a missing function and whatever
  // InstantiateFunction finds, Unimplemented with the cycle for one that calls itself. `second`: is
  // this the first time that it is asked for? References stay valid.
  std::pair<const absl::StatusOr<FunctionBody>&, bool> Find(const Callee& callee);

 private:
  absl::StatusOr<FunctionBody> Make(const Callee& callee);

  const Graph& graph_;
  int64_t* constant_room_;
  ExpansionBudget budget_;
  FunctionContext context_;
  std::map<std::string, absl::StatusOr<FunctionBody>> bodies_;
  std::set<std::string> acyclic_;
};

}  // namespace linnet::converter
