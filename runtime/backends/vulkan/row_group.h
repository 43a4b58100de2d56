// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "runtime/backends/vulkan/abi/glsl.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {

// How many threads of a workgroup share work that has `steps` steps, each of which one of them
// does: a power of two, so that each has four steps or more.
inline int64_t ThreadsFor(int64_t steps) {
  return std::min<int64_t>(
      static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(steps) / 4 | 1)), kWorkgroupSize);
}

// Threads of a dispatch in which `each` of them share one of `jobs`: whole workgroups.
inline int64_t GroupThreads(int64_t jobs, int64_t each) {
  return CeilDiv(jobs * each, kWorkgroupSize) * kWorkgroupSize;
}

// Adds a shader in which threads of a workgroup share a row of the op's output, with the op's
// inputs and its output. The first constant is how many threads.
inline Dispatch& AddRows(Shader shader, const OpInstance& op, Dispatches& dispatches) {
  const Rows rows = RowsOf(op.output(0));
  const int64_t threads = ThreadsFor(rows.quads);
  Dispatch& dispatch = dispatches.Add(shader, GroupThreads(rows.count, threads));
  for (int i = 0; i < op.num_inputs(); ++i) dispatch.Bind(Input(i));
  dispatch.Bind(Output(0));
  dispatch.Specialise(static_cast<uint32_t>(threads));
  return dispatch;
}

// What the push constants of such shaders have in common.
template <typename Push>
Push PushRows(const TensorType& output) {
  const Rows rows = RowsOf(output);
  return {.rows = static_cast<uint>(rows.count),
          .quads = static_cast<uint>(rows.quads),
          .columns = static_cast<uint>(rows.columns)};
}

}  // namespace linnet::vulkan
