// SPDX-License-Identifier: Apache-2.0
// A run on two devices makes no call of malloc, just like a run on the host, nor does one in
// strips.
#include "gtest/gtest.h"
#include "runtime/backends/portable/backend.h"
#include "runtime/session/thread_pool.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/counted_malloc.h"
#include "tests/runtime/session/fake_device.h"
#include "tests/runtime/session/opened_plan.h"
#include "tests/runtime/session/placed_plan.h"
#include "tests/runtime/session/strip_nets.h"

namespace linnet {
namespace {

constexpr char kText[] = R"(
  x = arg f32[64] a = Unary(x) {kind: Exp} b = Softmax(a) c = Binary(b, const f32[] 2) {kind: Mul} out = ret(c))";

// With the profile off and on, counted.
Status RunFourTimes(OpenedPlan& plan) {
  Status status;
  const CountedScope scope(-1);
  for (int i = 0; i < 4 && status.ok(); ++i) {
    plan.session.EnableProfile(i >= 2);
    status = plan.session.Run();
  }
  return status;
}

// Opens the plan again and again, each time with the next call of malloc failing, until none fails.
void ExpectEachFailureIsAnError(const std::vector<std::byte>& bytes,
                                std::span<const Backend* const> backends) {
  Status status{StatusCode::kNoMemory, ""};
  for (int64_t i = 0; !status.ok() && i < 1000; ++i) {
    OpenedPlan plan(bytes);
    {
      const CountedScope scope(i);
      status = plan.Open(backends);
    }
    if (status.ok()) break;
    EXPECT_EQ(status.code(), StatusCode::kNoMemory) << "call " << i << ": " << status.what();
  }
  EXPECT_TRUE(status.ok()) << status.what();
}

TEST(SegmentsAllocation, RunMakesNone) {
  for (const bool maps_memory : {false, true}) {
    const FakeDevice device({.maps_memory = maps_memory});
    const Backend* const backends[] = {&device, &portable::GetBackend()};
    OpenedPlan plan(PlacedPlan(kText));
    ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
    const Status status = RunFourTimes(plan);
    EXPECT_TRUE(status.ok()) << status.what();
    EXPECT_EQ(CountedScope::calls(), 0);
    EXPECT_EQ(device.counts().steps, 4 * 2);
  }
}

TEST(SegmentsAllocation, BindingMakesNone) {
  const FakeDevice device({.maps_memory = true});
  const Backend* const backends[] = {&device, &portable::GetBackend()};
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
  alignas(64) float memory[2][128] = {};
  Status status;
  {
    const CountedScope scope(-1);
    status = plan.session.BindInput(0, {memory[0], sizeof(memory[0])});
    if (status.ok()) status = plan.session.BindOutput(0, {memory[1], sizeof(memory[1])});
    if (status.ok()) status = plan.session.Run();
  }
  EXPECT_TRUE(status.ok()) << status.what();
  EXPECT_EQ(CountedScope::calls(), 0);
  EXPECT_EQ(memory[1][0], 2.0f / 64);
}

TEST(SegmentsAllocation, EachCallThatFailsIsAnError) {
  const FakeDevice device({.maps_memory = true});
  const Backend* const backends[] = {&device, &portable::GetBackend()};
  ExpectEachFailureIsAnError(PlacedPlan(kText), backends);
}

TEST(StripsAllocation, RunMakesNone) {
  const Backend* const backends[] = {&portable::GetBackend()};
  for (const StripNet& net : AllStripNets()) {
    ThreadPool pool;
    ASSERT_TRUE(pool.Open(3).ok());
    OpenedPlan plan(StripsPlan(net.text));
    ASSERT_TRUE(plan.Open(backends, pool.threads()).ok()) << plan.diagnostic.text;
    ASSERT_FALSE(plan.program().strips.empty());
    const Status status = RunFourTimes(plan);
    EXPECT_TRUE(status.ok()) << status.what();
    EXPECT_EQ(CountedScope::calls(), 0) << net.name;
  }
}

TEST(StripsAllocation, EachCallThatFailsIsAnError) {
  const Backend* const backends[] = {&portable::GetBackend()};
  ExpectEachFailureIsAnError(StripsPlan(StripNetText(kInvertedResidual, 1, 16)), backends);
}

}  // namespace
}  // namespace linnet
