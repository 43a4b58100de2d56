// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/text/text_lexer.h"

namespace linnet::converter {

// " {padding: "SAME", strides: [1, 1, 1, 1]}": the attributes of a TensorFlow node, except those
// that ParseGraph infers: types that follow from the inputs, and defaults. "" when none are left.
// Attributes of functions (@name) and values of tensors are not printed.
std::string TfAttrsText(const Node& node);

// The inverse. The type of an attribute that `op` declares decides how its value is read (a bare
// word may be a type, a shape may leave out `shape`); the type of any other is guessed.
absl::Status ParseTfAttrs(TextLexer& lexer, const tf::OpDef& op, tf::NodeDef* def);

}  // namespace linnet::converter
