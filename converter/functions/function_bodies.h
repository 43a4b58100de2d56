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

// A function with the attributes for which it is instantiated.
struct Callee {
  std::string function;
  AttrValues attrs;
};

// Calls with equal keys may share a body. The reverse does not hold where attributes of functions
// have maps, whose order is not fixed; that only costs a second body.
std::string KeyOf(const Callee& callee);

// A node that only calls a function: an op of the function's name, PartitionedCall or
// StatefulPartitionedCall.
bool IsCall(const Node& node);
// The function that such a node calls; an empty name where the attribute is missing.
Callee CalleeOf(const Node& node);

// Names of all functions that the nodes may call, directly or through other functions, sorted.
std::vector<std::string> FunctionsReached(const FunctionLibrary& functions,
                                          std::span<Node* const> nodes);

// The bodies of the functions that a graph calls, each instantiated once per choice of attributes.
class FunctionBodies {
 public:
  // *constant_room bounds the constants of all bodies (ConstantFromTensor); null:
  // kMostExpandedBytes. `notes` (may be null) gets warnings.
  FunctionBodies(const Graph& graph, int64_t* constant_room, std::vector<std::string>* notes);

  // The body and whether it is new. Errors: InvalidArgument for a missing function, Unimplemented
  // with the cycle for a recursive one, and those of InstantiateFunction. References stay valid.
  std::pair<const absl::StatusOr<FunctionBody>&, bool> Find(const Callee& callee);

 private:
  absl::StatusOr<FunctionBody> Make(const Callee& callee);

  int64_t own_room_ = kMostExpandedBytes;
  const FunctionContext context_;
  std::map<std::string, absl::StatusOr<FunctionBody>> bodies_;
  std::set<std::string> acyclic_;
};

}  // namespace linnet::converter
