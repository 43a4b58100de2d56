// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/abi/binary.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/ops/output_range.h"

// Ops whose inputs broadcast to the output, as executions of the shaders that include
// broadcast.glsl.
namespace linnet::vulkan {

// How quads of the output and of two or three inputs belong together, in as few dimensions as
// possible.
struct Broadcast {
  uint rank = 1;
  uint splat = 0;  // bit i: rows of input i are one element, which counts for all columns
  BinaryPush push = {};
};

// Plans the addresses of an op with two or three inputs, of any output that is not empty. nullptr,
// or why it is not possible.
const char* PlanBroadcast(const OpInstance& op, Broadcast* broadcast);

// For OpLowering::why_unsupported.
const char* WhyNotBroadcast(const OpInstance& op);

// Adds an execution of `shader` for all inputs of `op`. REQUIRES: WhyNotBroadcast(op) == nullptr
void AddBroadcast(Shader shader, const OpInstance& op, uint kind, const OutputRange& range,
                  Dispatches& dispatches);

}  // namespace linnet::vulkan
