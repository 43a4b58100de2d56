// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// e / Sum(e),  e = Exp(x - Max(x)) or Exp(x)                 =>  Softmax(x)
// s - Log(Sum(Exp(s))),  s = x - Max(x) or x;  Log(Softmax(x))    =>  LogSoftmax(x)
// Sum and Max over the last axis, dimensions kept. Not under strict algebra.
absl::StatusOr<int> FuseSoftmax(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
