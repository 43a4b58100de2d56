// SPDX-License-Identifier: Apache-2.0
// Another part of the process initialised XNNPACK before Linnet, with malloc. This is a separate
// program because it can happen only once in a process.
#include <gtest/gtest.h>
#include <xnnpack.h>

#include <algorithm>
#include <vector>

#include "runtime/backends/xnnpack/backend.h"
#include "runtime/ops/fully_connected.h"

namespace linnet::xnnpack {
namespace {

constexpr int64_t kIn = 512, kOut = 256;

TEST(XnnpackForeignAllocator, RunsAndCountsTheHeap) {
  ASSERT_EQ(xnn_initialize(nullptr), xnn_status_success);
  const Backend& backend = GetBackend();
  ASSERT_TRUE(backend.Initialize().ok());
  EXPECT_FALSE(AllocatesThroughUs());

  // Floats at a multiple of 64, followed by readable bytes.
  Region data;
  const auto floats = [&](int64_t count, float value) {
    auto* all = static_cast<float*>(data.Allocate((count + 32) * 4));
    std::fill(all, all + count + 32, value);
    return all;
  };
  const FullyConnectedAttrs attrs;
  const auto f32 = [](Shape shape) { return TensorType{DType::kFloat32, shape}; };
  const std::vector<InputInfo> inputs = {{f32({1, kIn})},
                                         {f32({kOut, kIn}), floats(kOut * kIn, 0.5f)}};
  const std::vector<TensorType> outputs = {f32({1, kOut})};
  const StepContext step = {
      0, {.kind = OpKind::kFullyConnected, .attrs = &attrs, .inputs = inputs, .outputs = outputs}};

  Region session;
  RunnableStep* runnable = nullptr;
  int64_t workspace = 0;
  ASSERT_TRUE(
      backend.Create(step, nullptr, nullptr, Threads(), session, &runnable, &workspace).ok());
  EXPECT_LT(session.peak(), 1024);  // the step object, not the operator
#ifdef __GLIBC__
  EXPECT_GT(backend.heap_bytes(), kOut * kIn * 4);
#endif

  float* result = floats(kOut, 0.0f);
  void* in[] = {floats(kIn, 1.0f), nullptr};
  void* out[] = {result};
  ASSERT_TRUE(runnable->Setup({in, out, nullptr}).ok());
  ASSERT_TRUE(runnable->Run().ok());
  EXPECT_EQ(result[0], 0.5f * kIn);
  EXPECT_EQ(result[kOut - 1], 0.5f * kIn);
  runnable->Destroy();
  EXPECT_EQ(backend.heap_bytes(), 0);
}

}  // namespace
}  // namespace linnet::xnnpack
