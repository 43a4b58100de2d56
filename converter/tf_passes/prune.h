// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Cuts the graph to what computes context.fetches from context.feeds, as TensorFlow prepares a
// partial run. Each feed becomes `_arg_<node>_<slot>_<k>` (_Arg, index k = position among the
// feeds) and each fetch `_retval_<node>_<slot>_<k>` (_Retval); their sources() name the tensor:
// "node", "node:1". Any tensor may be fed; its producer is then needed no more. What no fetch
// depends on, through data or control edges, is removed; fed tensors stay even if unused. A
// PlaceholderWithDefault that is not fed becomes its default.
//
// Without feeds every placeholder that the fetches need is one; without fetches every output of
// every node that nobody consumes is one. Input shapes come from the feed, completed by the
// placeholder. An unknown leading dimension becomes 1 (with a note), other unknown dimensions are
// an error.
//
// Errors (all of them in one status, TensorFlow's texts):
//   Must specify at least one target to fetch or execute.
//   Endpoint "x" fed more than once.     x is both fed and fetched.
//   FeedInputs: unable to find feed output x
//   FetchOutputs node x: not found       FetchOutputs x:7: output index too large, must be < 1
// (behind the two that cannot find x: nodes in other places that are called x, "; there is call/x")
//   Tried to fetch data for 'x', which produces no output. ...
//   You must feed a value for placeholder tensor 'x' with dtype float and shape [1,?]; --input ...
// A graph that has _Retval nodes was pruned before: only unreachable nodes go.
absl::StatusOr<int> Prune(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
