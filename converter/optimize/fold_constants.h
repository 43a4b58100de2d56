// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// op(constants...)  =>  Const, evaluated with the portable kernels, producers first.
// Needs every input constant, and a result that MayFold (evaluate_op.h) finds worth its bytes. Ops
// that only move elements keep the encoding of a weight. An op that cannot be computed now (integer
// division by zero) stays for the device to report.
absl::StatusOr<int> FoldConstants(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
