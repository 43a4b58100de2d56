// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "converter/graph/graph.h"
#include "converter/graph/problems.h"

namespace linnet::converter {

// "it is not one of TensorFlow's ops; there is 'Conv2D'": for a name that is neither TensorFlow's
// nor one of the packages in tf_op_groups.def, with the names like it.
std::string UnknownTfOp(std::string_view op, bool names_like_it = true);

// Why `node`, whose op has no row, cannot be converted, and the ways out: its group's and a cut.
// `names_like_it`: UnknownTfOp has them, which takes a while.
Problem RefusalOf(const Node& node, bool names_like_it);

}  // namespace linnet::converter
