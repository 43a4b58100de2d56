// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::conformance {

// Evaluates a legalized graph op by op, without a plan; symbols get their values on the way.
// `argument` gives the value of an _Arg. Returns the results by the names of their _Retval nodes.
absl::StatusOr<std::map<const converter::Node*, converter::Constant>> EvaluateGraph(
    const converter::Graph& graph,
    const std::function<converter::Constant(const converter::Node&)>& argument);

}  // namespace linnet::conformance
