// SPDX-License-Identifier: Apache-2.0
// What segments compute, and what they refuse. Skipped without a device.
#include "runtime/backends/vulkan/segment.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "runtime/backends/vulkan/pack_rows4.h"
#include "tests/runtime/backends/vulkan/segment_fixture.h"
#include "tests/runtime/backends/vulkan/test_segment.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

TEST_F(SegmentTest, ChainedSteps) {
  if (!Open()) GTEST_SKIP() << "no Vulkan device";
  RunChain();
  // Equal pipelines are one; pack_in, clamp and unpack_out are left, made with one call.
  EXPECT_EQ(test_.segment().num_dispatches(), 6u);
  EXPECT_EQ(test_.segment().num_pipelines(), 3);
  EXPECT_EQ(WatchedVulkan::calls_of("vkCreateComputePipelines"), 1);
  // Input, step, step: each reads what the one before it wrote. The third step and the outputs'
  // copies wait for the second step only once, the copy of the third step's output for that.
  EXPECT_EQ(test_.segment().num_barriers(), 3);
  EXPECT_EQ(WatchedVulkan::calls_of("vkBeginCommandBuffer"),
            1 + WatchedVulkan::calls_of("vkCmdCopyBuffer"));
}

TEST_F(SegmentTest, DiscreteDevice) {
  if (!Open({.discrete = true})) GTEST_SKIP() << "no Vulkan device";
  RunChain();
  EXPECT_EQ(WatchedVulkan::calls_of("vkCmdCopyBuffer"), 1);  // of the constant
}

TEST_F(SegmentTest, NonCoherentMemory) {
  if (!Open({.non_coherent = true})) GTEST_SKIP() << "no Vulkan device";
  RunChain();
  EXPECT_GT(WatchedVulkan::calls_of("vkFlushMappedMemoryRanges"), 0);
  EXPECT_GT(WatchedVulkan::calls_of("vkInvalidateMappedMemoryRanges"), 0);
}

TEST_F(SegmentTest, DiscreteDeviceWithNonCoherentMemory) {
  if (!Open({.discrete = true, .non_coherent = true})) GTEST_SKIP() << "no Vulkan device";
  RunChain();
}

// Inputs and outputs in the memory that the host shares with the device are not copied, and may be
// mixed with others.
TEST_F(SegmentTest, InTheHostsMemory) {
  for (const Profile& profile : {Profile{}, Profile{.discrete = true, .non_coherent = true}}) {
    if (!Open(profile)) GTEST_SKIP() << "no Vulkan device";
    const std::vector<float> values = Ramp(70);
    ASSERT_OK(test_.Open(backend_, 1024, 1024));
    Segment& segment = test_.segment();
    ASSERT_OK(segment.AddInput(F32({10, 7}), 0));
    ASSERT_OK(test_.AddClamp({10, 7}, 0, 512, -1, 1));
    ASSERT_OK(segment.AddOutput(F32({10, 7}), 512));
    ASSERT_OK(segment.Finish());
    auto* host = static_cast<std::byte*>(test_.memory().host_data());
    ASSERT_NE(host, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(host) % kWindowAlignment, 0u);
    EXPECT_TRUE(std::all_of(host, host + 1024, [](std::byte b) { return b == std::byte{0}; }));
    std::vector<float> elsewhere(70), got(70);
    // Where the input is, where the output is; -1: elsewhere, 4: in the memory but not aligned.
    constexpr int kPlaces[][2] = {{512, 0}, {0, 512}, {-1, 512}, {4, 512}, {512, 4}, {-1, -1}};
    for (const auto& [from, to] : kPlaces) {
      // Others need a buffer, which stays.
      EXPECT_EQ(segment.device_bytes() > 0, WatchedVulkan::calls_of("vkAllocateMemory") > 2);
      std::byte* in = from < 0 ? reinterpret_cast<std::byte*>(elsewhere.data()) : host + from;
      std::memcpy(in, values.data(), 280);
      std::byte* out = to < 0 ? reinterpret_cast<std::byte*>(got.data()) : host + to;
      ASSERT_OK(segment.BindInput(0, in));
      ASSERT_OK(segment.BindOutput(0, out));
      for (int run = 0; run < 2; ++run) {
        ASSERT_OK(segment.Run());
        ASSERT_OK(segment.Fetch(0));
        std::memcpy(got.data(), out, 280);
        EXPECT_EQ(got, Clamped(values, -1, 1)) << from << " to " << to;
      }
    }
    // Recorded anew only where something moved.
    EXPECT_EQ(WatchedVulkan::calls_of("vkBeginCommandBuffer"), 5);
    EXPECT_EQ(WatchedVulkan::calls_of("vkAllocateMemory"), 3);  // arena, shared memory, others
    EXPECT_EQ(test_.memory().device_bytes() + segment.device_bytes(), WatchedVulkan::live_bytes());
    TearDown();
  }
}

// u8 and bool are bytes for the host and words for the device.
TEST_F(SegmentTest, BytesSurviveTheWayThere) {
  if (!Open()) GTEST_SKIP() << "no Vulkan device";
  for (const DType dtype : {DType::kUint8, DType::kBool, DType::kInt32}) {
    for (const Shape& shape :
         {Shape{}, Shape{1}, Shape{7}, Shape{5, 3}, Shape{3, 1}, Shape{2, 3, 9}}) {
      const TensorType type{dtype, shape};
      const auto bytes = static_cast<size_t>(type.bytes());
      ASSERT_OK(test_.Open(backend_, 1024, 0));
      ASSERT_OK(FillArena(&test_.memory(), 0xffffffff));
      Segment& segment = test_.segment();
      ASSERT_OK(segment.AddInput(type, 256));
      ASSERT_OK(segment.AddOutput(type, 256));
      ASSERT_OK(segment.Finish());
      std::vector<uint8_t> in(bytes), out(bytes + 8, 0xee);
      for (size_t i = 0; i < bytes; ++i)
        in[i] = static_cast<uint8_t>(dtype == DType::kBool ? i % 3 == 0 : 255 - i);
      ASSERT_OK(segment.BindInput(0, in.data()));
      ASSERT_OK(segment.BindOutput(0, out.data()));
      ASSERT_OK(segment.Run());
      ASSERT_OK(segment.Fetch(0));
      EXPECT_EQ(std::vector<uint8_t>(out.begin(), out.end() - 8), in);
      EXPECT_EQ(std::vector<uint8_t>(out.end() - 8, out.end()), std::vector<uint8_t>(8, 0xee));
      // Rows are padded with zeros, and nothing beside the tensor is written.
      std::vector<uint32_t> words(1024 / 4);
      ASSERT_OK(ReadArena(&test_.memory(), 0, words.data(), 1024));
      std::vector<uint32_t> want(words.size(), 0xffffffff);
      PackRows4(Layout::kRows4, type, in.data(), reinterpret_cast<std::byte*>(want.data() + 64));
      EXPECT_EQ(words, want);
      test_.Destroy();
    }
  }
}

// i64 has four bytes on the device: the nearest i32.
TEST_F(SegmentTest, WideIntegersBecomeTheNearestNarrowOnes) {
  if (!Open()) GTEST_SKIP() << "no Vulkan device";
  constexpr int64_t kMost = INT32_MAX, kLeast = INT32_MIN;
  const std::vector<int64_t> in = {
      0,         1,          -1,         kMost,           kMost + 1,
      kLeast,    -7,         kLeast - 1, INT64_MAX,       INT64_MIN,
      1ll << 32, -1ll << 32, 5,          (1ll << 32) + 3, -(1ll << 31) - 9};
  for (const Shape& shape : {Shape{15}, Shape{5, 3}, Shape{15, 1}}) {
    const TensorType type{DType::kInt64, shape};
    std::vector<int64_t> out(16, 77), want(in);
    for (int64_t& value : want) value = std::clamp(value, kLeast, kMost);
    want.push_back(77);
    ASSERT_OK(test_.Open(backend_, 1024, 0));
    ASSERT_OK(FillArena(&test_.memory(), 0xffffffff));
    Segment& segment = test_.segment();
    ASSERT_OK(segment.AddInput(type, 256));
    ASSERT_OK(segment.AddOutput(type, 256));
    ASSERT_OK(segment.Finish());
    ASSERT_OK(segment.BindInput(0, in.data()));
    ASSERT_OK(segment.BindOutput(0, out.data()));
    ASSERT_OK(segment.Run());
    ASSERT_OK(segment.Fetch(0));
    EXPECT_EQ(out, want);
    std::vector<uint32_t> words(1024 / 4), expected(words.size(), 0xffffffff);
    ASSERT_OK(ReadArena(&test_.memory(), 0, words.data(), 1024));
    PackRows4(Layout::kRows4, type, in.data(), reinterpret_cast<std::byte*>(expected.data() + 64));
    EXPECT_EQ(words, expected);
    test_.Destroy();
  }
}

// Sessions of several threads share the device and its queue.
TEST(Threads, ShareADevice) {
  // Not watched: that is for one thread.
  if (WatchedVulkan::Get() == nullptr) GTEST_SKIP() << "no Vulkan library";
  PFN_vkGetInstanceProcAddr get = nullptr;
  Device device;
  if (!OpenLibrary(kLibraryNames, &get).ok() || !device.Open(get, nullptr).ok())
    GTEST_SKIP() << "no Vulkan device";
  const auto live = [&device](float high, bool* good) {
    const TensorType type = F32({64, 9});
    const VulkanBackend backend(&device);
    const std::vector<float> in = Ramp(64 * 9);
    std::vector<float> out(in.size());
    TestSegment test;
    Status status = test.Open(backend, 8192, 0);
    if (status.ok()) status = test.segment().AddInput(type, 0);
    if (status.ok()) status = test.AddClamp(type.shape, 0, 0, -1, high);
    if (status.ok()) status = test.segment().AddOutput(type, 0);
    if (status.ok()) status = test.segment().Finish();
    if (status.ok()) status = test.segment().BindInput(0, in.data());
    if (status.ok()) status = test.segment().BindOutput(0, out.data());
    *good = status.ok();
    for (int run = 0; run < 30 && *good; ++run)
      *good =
          test.segment().Run().ok() && test.segment().Fetch(0).ok() && out == Clamped(in, -1, high);
    test.Destroy();
  };
  bool good[4] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(live, 1 + 0.5f * static_cast<float>(i), &good[i]);
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(good[i]) << i;
  device.Close();
}

TEST_F(SegmentTest, RefusesWhatDoesNotFit) {
  if (!Open()) GTEST_SKIP() << "no Vulkan device";
  ASSERT_OK(test_.Open(backend_, 512, 0));
  Segment& segment = test_.segment();
  EXPECT_EQ(segment.AddInput(F32({65}), 256).code(), StatusCode::kInternal);
  EXPECT_EQ(segment.AddInput(F32({64}), 128).code(), StatusCode::kInternal);
  EXPECT_EQ(segment.AddInput(F32({64}), -256).code(), StatusCode::kInternal);
  EXPECT_EQ(segment.AddInput({DType::kFloat64, {1}}, 0).code(), StatusCode::kUnsupported);
  EXPECT_EQ(segment.AddInput(F32({1 << 26}), 0).code(), StatusCode::kUnsupported);
  // Its copy reads more bytes than it writes.
  EXPECT_EQ(segment.AddInput({DType::kInt64, {(1 << 24) + 1}}, 0).code(), StatusCode::kUnsupported);
  EXPECT_EQ(test_.AddClamp({64}, 0, 512, 0, 1).code(), StatusCode::kInternal);
  EXPECT_EQ(test_.AddClamp({64}, 0, INT64_MAX - 255, 0, 1).code(), StatusCode::kInternal);
  // More constants than the backend was told.
  EXPECT_EQ(test_.AddClampOf({3}, Ramp(3), 0, 0, 1).code(), StatusCode::kInternal);
  // A lowering's input that is neither in the arena nor constant.
  EXPECT_EQ(test_.AddClamp({64}, -1, 0, 0, 1).code(), StatusCode::kInternal);
}

TEST_F(SegmentTest, MemoryThatNoDeviceHas) {
  if (!Open()) GTEST_SKIP() << "no Vulkan device";
  EXPECT_EQ(test_.Open(backend_, int64_t{1} << 50, 0).code(), StatusCode::kNoMemory);
  test_.Destroy();
  EXPECT_EQ(test_.Open(backend_, 256, INT64_MAX).code(), StatusCode::kNoMemory);
  test_.Destroy();
  EXPECT_EQ(test_.Open(backend_, 256, 0, INT64_MAX).code(), StatusCode::kNoMemory);
}

}  // namespace
}  // namespace linnet::vulkan
