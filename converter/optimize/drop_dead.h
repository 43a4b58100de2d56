// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Removes every node from which no _Retval can be reached, _Arg excepted: the inputs of a plan are
// its signature, used or not.
absl::StatusOr<int> DropDead(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
