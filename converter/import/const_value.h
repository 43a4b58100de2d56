// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/node_def.pb.h"

// The value of a Const, on its way from the file to the graph.
namespace linnet::converter {

bool IsConst(const tf::NodeDef& def);

// Turns what the reader left in `node`, which IsConst, into its `constant`. A value of an element
// type that Linnet lacks stays in the attribute, for whoever can read it. False, and a problem
// added, when there is no value, or it is damaged or not of the type that attribute dtype says.
bool TakeConstValue(RawNode* node, ExpansionBudget* budget, Problems* problems);

// Gives it to `node`, which was made of `raw`.
void SetConstValue(RawNode* raw, Node* node);

}  // namespace linnet::converter
