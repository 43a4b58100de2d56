// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/text/text_lexer.h"

namespace linnet::converter {

// " {padding: "SAME", strides: [1, 1, 1, 1]}": attributes of a TensorFlow node, except those that
// reading the line gives anyway: types that follow from the inputs, and defaults. "" when none are
// left. Functions lose their attributes (@name), tensors their values.
std::string TfAttrsText(const Node& node);

// The inverse. Attributes that `op` knows are read as its types say: bare words are types, shapes
// may leave out `shape`. Others by their looks.
absl::Status ParseTfAttrs(TextLexer& lexer, const tf::OpDef& op, tf::NodeDef* def);

}  // namespace linnet::converter
