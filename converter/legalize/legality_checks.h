// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/legalize/context/tensor_lists.h"

// What can be said against a node before the walk of `legalize` turns it into Linnet ops: the rules
// that hold whatever its row does. No check changes the graph. One that returns false (or, of
// IsFetchedAsComplex, true) has added its problem, unless an earlier node has failed and is to
// blame.
namespace linnet::converter {

// An op that is left to be replaced.
bool IsTensorFlowOp(const Node& node);

// Has it complex inputs or outputs? They are pairs of floats once the walk has passed, which only
// ops that know of it may touch.
bool HasComplex(const Node& node);

// May the _Arg be an input of the model?
bool CanBeInput(const Node& arg, Problems* problems);

// May the _Retval be an output of the model, with the dtype that its attribute T says (any without
// one)? `lists`: of the walk so far.
bool CanBeOutput(const Node& retval, const TensorLists& lists, Problems* problems);

// Have all inputs become Linnet's? `may_be_lists`: the row reads lists, hash tables and strings.
bool InputsAreLegal(const Node& node, bool may_be_lists, const TensorLists& lists,
                    Problems* problems);

// Of the inputs of `node`, for rows that take numbers from them.
bool ExtentsAreFixed(const Graph& graph, const Node& node, Problems* problems);

// Would a result of the model be complex?
bool IsFetchedAsComplex(const Node& node, Problems* problems);

// How to have the rest of the model without this op: the remedy to tell. Empty where there is none.
std::string CutBefore(const Node& node);

}  // namespace linnet::converter
