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
// Bytes that a kernel may always work in.
inline constexpr int64_t kMaxFoldingWork = int64_t{64} << 20;

// The output types of a Linnet op over constants, by the op's own rule.
absl::StatusOr<std::vector<TensorType>> InferOutputTypes(const OpAttrs& attrs,
                                                         std::span<const Constant> inputs);

// Are these outputs small enough to replace these inputs? `freed` bytes of inputs are no longer
// needed afterwards; what the outputs take beyond that must be left in *room
// (PassContext::constant_room) and is taken from it: otherwise a constant that a hundred ops read
// could become a hundred constants.
bool MayFold(std::span<const Constant> inputs, std::span<const TensorType> outputs,
             int64_t freed = 0, int64_t* room = nullptr);

// Runs a Linnet op on constants with its portable kernel, under TensorFlow's rounding (to nearest,
// denormals flushed to zero). A kernel's working memory may be as large as a few times its tensors,
// or kMaxFoldingWork: Unimplemented beyond that. The cost is taken from *work
// (PassContext::folding_work): Unimplemented where that has too little left. Ops that only move
// elements run on the encoded bytes and keep the encoding, so that a transposed f16 filter is still
// f16. InvalidArgument with the op's own reason when the types do not fit; Unimplemented when there
// is no kernel; OutOfRange for bad indices.
absl::StatusOr<std::vector<Constant>> EvaluateOp(const OpAttrs& attrs,
                                                 std::span<const Constant> inputs,
                                                 int64_t* work = nullptr);

}  // namespace linnet::converter
