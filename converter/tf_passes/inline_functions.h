// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// y = f(x), PartitionedCall(x) {f}, StatefulPartitionedCall(x) {f}  =>  the nodes of f, again and
// again
//
// Only calls that context.fetches need, without looking behind what is fed: the rest is prune's. No
// fetches: the nodes that nobody consumes; a graph with _Retvals: these. `call/inner/node` may be
// fed or fetched as any other node; a call that is named itself stays as an IdentityN. Names and
// control edges are TensorFlow's (import/inline_call.h). `_noinline` and `api_implements` bind
// TensorFlow's optimiser, not us: a plan has no calls. Functions that If, While and Case name stay
// in the library; gradients stay there and are never expanded. Recursion is an error with its
// cycle.
absl::StatusOr<int> InlineFunctions(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
