// SPDX-License-Identifier: Apache-2.0
// What one run does on devices: one Run for each segment, and when its outputs are fetched,
// measured, cancelled and lost.
#include <gmock/gmock.h>

#include <numeric>
#include <utility>

#include "runtime/threads/clock.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/two_devices.h"

namespace linnet {
namespace {

constexpr char kTwoSegments[] = R"(
  x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} d = Unary(c) {kind: Exp}
  out = ret(d))";
constexpr char kTwoDevices[] = R"(
  x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(x) {kind: Neg} c = Binary(a, b) {kind: Add}
  d = Unary(c) {kind: Tanh} out = ret(d))";
const std::map<std::string, std::string> kTwoPlaces = {
    {"a", "vulkan"}, {"b", "npu"}, {"d", "vulkan"}};

TEST(SegmentRuns, EachSegmentRunsOnce) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kTwoSegments));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  ASSERT_EQ(Segments(plan), "vulkan: Copy Unary | Copy Softmax | vulkan: Copy Unary Unary | Copy");
  const FakeDevice::Counts& counts = devices.vulkan.counts();
  EXPECT_EQ(counts.segments, 2);
  EXPECT_EQ(counts.runs, 0);
  for (int run = 1; run <= 3; ++run) {
    FillInputs(&plan, run);
    ASSERT_TRUE(plan.session.Run().ok());
    EXPECT_EQ(counts.runs, run * 2);
    EXPECT_EQ(counts.steps, run * 3);
    EXPECT_EQ(counts.inputs, run * 2);
    EXPECT_EQ(counts.outputs, run * 2);
    EXPECT_EQ(counts.fetches, run * 2);
    EXPECT_EQ(counts.bytes_in, run * 2 * 16);
    EXPECT_EQ(counts.bytes_out, run * 2 * 16);
  }
  EXPECT_EQ(counts.segments, 2);
}

// The host fetches a value behind a segment of another device, from the segment that computed it.
TEST(SegmentRuns, OutputsAreFetchedBehindAnotherDevice) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kTwoDevices, kTwoPlaces));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  ASSERT_EQ(Segments(plan),
            "vulkan: Copy Unary | npu: Copy Unary | Copy Copy Binary | vulkan: Copy Unary | Copy");
  ExpectSameOutputs(&plan, TextPlan(kTwoDevices));
  EXPECT_EQ(devices.vulkan.counts().outputs, 2 * 2);
  EXPECT_EQ(devices.vulkan.counts().runs, 2 * 2);
  EXPECT_EQ(devices.npu.counts().outputs, 2 * 1);
  EXPECT_EQ(devices.npu.counts().runs, 2 * 1);
}

TEST(SegmentRuns, OneBackendRunsADevice) {
  const FakeDevice first, second;
  const Backend* const backends[] = {&first, &second, &portable::GetBackend()};
  OpenedPlan plan(PlacedPlan(kTwoSegments));
  ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
  ExpectSameOutputs(&plan, TextPlan(kTwoSegments));
  EXPECT_EQ(first.counts().runs, 2 * 2);
  EXPECT_EQ(second.counts().alive, 0);
}

// The steps of a run, as the profile has them, and the time of the run on the host's clock.
struct Profile {
  std::vector<int64_t> step_ns;
  int64_t run_ns = 0;
  int64_t sum() const { return std::accumulate(step_ns.begin(), step_ns.end(), int64_t{0}); }
};

Profile RunWithProfile(OpenedPlan* plan) {
  const int64_t before = NowNs();
  EXPECT_TRUE(plan->session.Run().ok());
  const std::span<const int64_t> times = plan->session.step_ns();
  return {{times.begin(), times.end()}, NowNs() - before};
}

// "vulkan: Copy Unary | Copy Softmax | vulkan: Copy Unary Unary | Copy", on a device that takes
// 10 ms for each segment and says that each step took `step_ns`.
Profile ProfileOf(int64_t step_ns) {
  Devices devices;
  devices.vulkan.set_step_ns(step_ns);
  devices.vulkan.set_on_run([](void*) { (void)SpinUntil(10'000'000, [] { return false; }); },
                            nullptr);
  OpenedPlan plan(PlacedPlan(kTwoSegments));
  EXPECT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_TRUE(RunWithProfile(&plan).step_ns.empty());
  plan.session.EnableProfile(true);
  Profile profile = RunWithProfile(&plan);
  EXPECT_EQ(profile.step_ns.size(), 8);
  EXPECT_LE(profile.sum(), profile.run_ns);
  EXPECT_GE(profile.sum(), 2 * 10'000'000);
  return profile;
}

TEST(SegmentProfile, StepsHaveWhatTheDeviceMeasured) {
  const Profile profile = ProfileOf(1000);
  for (const int op : {1, 5, 6}) EXPECT_EQ(profile.step_ns[op], 1000) << op;
  for (const int copy : {0, 4}) EXPECT_GE(profile.step_ns[copy], 10'000'000 - 2000) << copy;
  for (const int fetch : {2, 7}) EXPECT_GT(profile.step_ns[fetch], 0) << fetch;
}

TEST(SegmentProfile, WhatIsNotMeasuredBelongsToTheFirstStep) {
  const Profile profile = ProfileOf(0);
  for (const int op : {1, 5, 6}) EXPECT_EQ(profile.step_ns[op], 0) << op;
  for (const int copy : {0, 4}) EXPECT_GE(profile.step_ns[copy], 10'000'000) << copy;
}

// A device that says that its steps took longer than the host waited.
TEST(SegmentProfile, AFastClockChangesNoSum) {
  const Profile profile = ProfileOf(int64_t{1} << 40);
  EXPECT_GE(profile.step_ns[1], 10'000'000 - 1);
  EXPECT_GE(profile.step_ns[5], 5'000'000 - 1);
  EXPECT_EQ(profile.step_ns[5], profile.step_ns[6]);
  for (const int copy : {0, 4}) EXPECT_LE(profile.step_ns[copy], 2) << copy;
}

TEST(SegmentRuns, AreCancelledBetweenSegments) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kTwoDevices, kTwoPlaces));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  plan.session.Cancel();
  Status status = plan.session.Run();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(status.step(), 0);
  EXPECT_EQ(devices.vulkan.counts().runs, 0);
  // A segment that has begun ends.
  devices.vulkan.set_on_run([](void* session) { static_cast<Interpreter*>(session)->Cancel(); },
                            &plan.session);
  status = plan.session.Run();
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(status.step(), 2);
  EXPECT_EQ(devices.vulkan.counts().runs, 1);
  EXPECT_EQ(devices.npu.counts().runs, 0);
  devices.vulkan.set_on_run(nullptr, nullptr);
  ExpectSameOutputs(&plan, TextPlan(kTwoDevices));
}

TEST(SegmentRuns, ALostDeviceNamesTheFirstOpOfItsSegment) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kTwoDevices, kTwoPlaces));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  devices.npu.Lose();
  const Status status = plan.session.Run();
  EXPECT_EQ(status.code(), StatusCode::kDeviceLost);
  EXPECT_EQ(status.step(), 3);
  EXPECT_EQ(devices.vulkan.counts().runs, 1);
}

}  // namespace
}  // namespace linnet
