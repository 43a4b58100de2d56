// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// conv(x, w) + c  =>  conv(x, w, bias=c);  conv(x, w, b) + c  =>  conv(x, w, b + c)
// for conv-like ops with constant (or no) bias, c a constant per output channel (or scalar), conv
// read once and without output range. An output range of the Add moves to the conv. Under strict
// algebra only where there is no bias yet: where a kernel adds its bias is its own business, while
// b + c rounds.
absl::StatusOr<int> FuseBias(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
