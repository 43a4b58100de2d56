// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/pass/pass.h"

namespace linnet::converter {

// Turns every TensorFlow op that the results (_Retval) need into Linnet ops, producers first, so
// that each op sees static types; whatever is computed from constants alone is folded on the way.
// Ops that no result needs are removed, and so are control edges: Linnet ops have no effects to
// order. Fails with all problems at once: ops without a row, unknown dimensions, attributes out of
// range. REQUIRES: functions inlined, variables frozen, placeholders turned into _Arg (pass
// `prune`).
absl::StatusOr<int> Legalize(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
