// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Attribute shared_name, or else the name of the node, after "container/" where it has a container.
// Nodes VariableV2, Variable and VarHandleOp of the same name are one variable.
std::string VariableName(const Node& variable);
bool IsVariable(const Node& node);

// Ops that read a resource variable by its handle, input 0: ReadVariableOp, ResourceGather,
// ResourceGatherNd, VariableShape.
bool ReadsVariable(const Node& node);
// Ops that assign to the variable of handle 0: AssignVariableOp, AssignAddVariableOp,
// AssignSubVariableOp, and those that assign parts of it, such as ResourceScatterNdUpdate and
// ResourceStridedSliceAssign.
bool AssignsVariable(std::string_view op);
bool AssignsVariable(const Node& node);
// The equivalent of Assign, AssignAdd or AssignSub, which assign by reference, among the ops above;
// empty for other ops.
std::string_view AssignmentByHandle(std::string_view op);
// Ops that take a handle but do not depend on the value of the variable: VarIsInitializedOp,
// DisableCopyOnRead.
bool OnlyTakesHandle(const Node& node);

// Whether the node reads or assigns a variable, or calls functions that might.
bool TouchesState(const Node& node);
// Whether any of the nodes, or any function that one of them may call, assigns a variable, by
// handle or by reference. Most models assign none, and then the order of effects need not be kept.
bool MayAssign(const FunctionLibrary& functions, std::span<Node* const> nodes);

struct HandleUses {
  // The handle or reference of a variable, and the outputs of Identity and IdentityN that pass it
  // on, producers first.
  std::vector<Output> handles;
  std::vector<Edge*> uses;  // all other uses of these
};
// An Identity of a reference is a use: it reads the variable.
HandleUses FindHandleUses(Node* variable);

// The value that reaches `value` through Identity and IdentityN; empty where an input is missing.
Output BehindIdentity(Output value);
// The variable whose handle or reference `value` is, seen through these; null for other values.
const Node* VariableBehind(Output value);

}  // namespace linnet::converter
