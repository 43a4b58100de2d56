// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/graph/op_attrs.h"

namespace linnet::converter {

// Results above this size stay computed at run time unless they replace inputs at least as large:
// a weight that Fill or Tile can make is not worth its bytes in the plan.
inline constexpr int64_t kMaxFoldedBytes = int64_t{10} << 20;
inline constexpr int64_t kMaxFoldingWork = int64_t{64} << 20;

// The output types of a Linnet op over constants, by the op's own rule.
absl::StatusOr<std::vector<TensorType>> InferOutputTypes(const OpAttrs& attrs,
                                                         std::span<const Constant> inputs);

// Does the size rule allow to replace these inputs by these outputs? `freed` bytes of inputs are
// gone afterwards; what the outputs take beyond that is taken from *room
// (PassContext::constant_room), which must have it: a constant that a hundred ops read would
// otherwise become a hundred.
bool MayFold(std::span<const Constant> inputs, std::span<const TensorType> outputs,
             int64_t freed = 0, int64_t* room = nullptr);

// Runs a Linnet op on constants with its portable kernel, under TensorFlow's rounding (to nearest,
// denormals flushed to zero). What a kernel works in may be as large as a few times its tensors, or
// kMaxFoldingWork: Unimplemented beyond that. What it takes to compute is taken from *work
// (PassContext::folding_work), Unimplemented where that is too little. Ops that only move elements
// run on the encoded bytes and keep the encoding, so that a transposed f16 filter is still f16.
// InvalidArgument with the op's own reason when the types do not fit; Unimplemented when there is
// no kernel; OutOfRange for bad indices.
absl::StatusOr<std::vector<Constant>> EvaluateOp(const OpAttrs& attrs,
                                                 std::span<const Constant> inputs,
                                                 int64_t* work = nullptr);

}  // namespace linnet::converter
