// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "runtime/backends/portable/backend.h"
#include "runtime/session/thread_pool.h"
#include "tests/runtime/session/opened_plan.h"

namespace linnet {

using Bytes = std::vector<std::byte>;
using Floats = std::vector<float>;

// Different ones from input to input, among them negative ones.
inline void FillInput(float* data, int64_t count, uint32_t seed) {
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    data[i] = static_cast<float>(seed >> 8) / (1 << 23) - 1;
  }
}
inline void FillInput(OpenedPlan* plan, uint32_t seed = 1) {
  FillInput(plan->input(0), plan->session.input_type(0).shape.num_elements(), seed);
}

inline Floats RunOpened(OpenedPlan* plan) {
  FillInput(plan);  // anew, because a run may overwrite it
  const Status status = plan->session.Run();
  EXPECT_TRUE(status.ok()) << status.what();
  return plan->output(0);
}

inline Floats RunPlan(const Bytes& bytes, int threads = 1,
                      const Backend& backend = portable::GetBackend()) {
  ThreadPool pool;
  EXPECT_TRUE(pool.Open(threads).ok());
  OpenedPlan plan(bytes);
  const Backend* backends[] = {&backend};
  const Status status = plan.Open(backends, pool.threads());
  EXPECT_TRUE(status.ok()) << status.what() << plan.diagnostic.text;
  if (!status.ok()) return {};
  return RunOpened(&plan);
}

}  // namespace linnet
