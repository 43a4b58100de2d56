// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// VariableV2, Variable and VarHandleOp nodes of the same name are one variable: shared_name, else
// the node's, behind "container/" where there is one.
std::string VariableName(const Node& variable);
bool IsVariable(const Node& node);

// Ops that read a resource variable by its handle, input 0: ReadVariableOp, ResourceGather,
// ResourceGatherNd, VariableShape.
bool ReadsVariable(const Node& node);
// AssignVariableOp, AssignAddVariableOp, AssignSubVariableOp: input 1 becomes, or changes, what the
// variable of handle 0 holds.
bool AssignsVariable(std::string_view op);
bool AssignsVariable(const Node& node);
// Of an op that assigns by reference, Assign, AssignAdd or AssignSub, the one above that does the
// same; empty for others.
std::string_view AssignmentByHandle(std::string_view op);
// Ops that take a handle and whose answer is the same whatever the variable holds:
// VarIsInitializedOp, DisableCopyOnRead.
bool OnlyTakesHandle(const Node& node);

// Does the node read or assign a variable, or call functions that might?
bool TouchesState(const Node& node);
// Whether any of the nodes, or any function that one of them may call, assigns a variable, by
// handle or by reference. Most models assign none, and then the order of effects need not be kept.
bool MayAssign(const FunctionLibrary& functions, std::span<Node* const> nodes);

// The handle or reference `variable` and every output that only passes it on (Identity, IdentityN),
// producers first; all edges that use one of these for anything else.
struct HandleUses {
  std::vector<Output> handles;
  std::vector<Edge*> uses;
};
// References end at the first Identity, which reads them.
HandleUses FindHandleUses(Node* variable);

// The variable whose handle or reference `value` is, seen through Identity; null for anything else.
const Node* VariableBehind(Output value);

}  // namespace linnet::converter
