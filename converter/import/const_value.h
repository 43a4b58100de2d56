// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/node_def.pb.h"

// The value of a Const, between the file and the graph.
namespace linnet::converter {

bool IsConst(const tf::NodeDef& def);

// Turns the value that the reader left in `node`, a Const, into `node->constant`. A value of an
// element type that Linnet lacks (strings) stays in attribute `value`. Returns false, and adds a
// problem, when there is no value, when it is damaged or when its type is not that of attribute
// `dtype`. ConstantFromTensor says what *constant_room is.
bool TakeConstValue(RawNode* node, int64_t* constant_room, Problems* problems);

// Gives the value to `node`, which was made of `raw`.
void SetConstValue(RawNode* raw, Node* node);

}  // namespace linnet::converter
