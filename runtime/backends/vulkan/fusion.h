// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/backends/vulkan/hazards.h"
#include "runtime/backends/vulkan/lowering.h"

// Which steps that follow each other one dispatch can compute: a convolution or product, or what
// memory has, and then elementwise ops whose results nothing else wants. What the first ones
// compute then never goes to memory. Pure functions, which do not know Vulkan's API.
namespace linnet::vulkan {

// A dispatch with the window of each operand.
struct PlacedDispatch {
  Dispatch dispatch;
  Access windows[kMaxOperands];
};

// A step that fusion may merge with those before or behind it.
struct FusionStep {
  PlacedDispatch placed;  // that writes its output
  Rows rows;              // of the output
  int32_t reads = -1;     // StepContext::output_reads
  int64_t flops = 0;      // of this dispatch

  // The rest is about elementwise ops. Their dispatches read inputs 0, 1 and write output 0.
  enum class Kind : uint8_t { kOther, kUnary, kBinary, kClamp };
  Kind kind = Kind::kOther;
  uint32_t code = 0;        // of abi/unary.h or abi/binary.h
  float low = 0, high = 0;  // the range of results; `low` is a unary op's alpha
  int num_inputs = 0;
  uint32_t forms[2] = {};  // of the inputs, as abi/epilogue.h has them: kEpilogueSame, ...
  const Access& input(int i) const { return placed.windows[i]; }
  const Access& output() const;
};

// At most so many steps can become one dispatch.
inline constexpr int kMostFused = 5;

// Whether a dispatch of this shader can begin a chain of several ops.
bool HasEpilogue(Shader shader);

// *step from an op and its dispatch, without windows. False when it cannot take part.
bool Describe(const OpInstance& op, const Dispatch& dispatch, int32_t reads, FusionStep* step);

// Whether `next` might be merged with `last`, the step before it: it is elementwise, of equal
// shape, and reads what that writes.
bool MayFollow(const FusionStep& last, const FusionStep& next);

// Merges as many of `steps` as possible, from the first one on, into *merged, and returns how many.
// 1 when there is nothing to merge: then *merged is the first one's own dispatch. REQUIRES: each
// MayFollow the one before, at least one and at most kMostFused.
int Merge(std::span<const FusionStep> steps, PlacedDispatch* merged);

}  // namespace linnet::vulkan
