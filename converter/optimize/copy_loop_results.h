// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/pass/pass.h"

namespace linnet::converter {

// body of While: ret(other variable) => ret(Reshape(other variable)).
// A plan copies a body's results to the variables one after the other, so none may be read from a
// variable that has its next value by then. All types are known.
absl::StatusOr<int> CopyLoopResults(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
