// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Runs the tasks one after another, the last first, to detect results that depend on how work is
// split.
inline Parallel Backwards(int threads) {
  return {threads, nullptr, [](void*, void (*task)(void*, int64_t), void* context, int64_t tasks) {
            while (tasks > 0) task(context, --tasks);
          }};
}

}  // namespace linnet::kernels
