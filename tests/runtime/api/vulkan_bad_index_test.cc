// SPDX-License-Identifier: Apache-2.0
// Indices that a GPU reads from data: one that is out of range makes a run fail with the step, as
// on the CPU, and the session goes on with the GPU. Skipped without a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "tests/runtime/api/spied_vulkan.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {
namespace {

using vulkan::Profile;
using vulkan::WatchedVulkan;

// Each step that may fail, and one behind each that would use what it computes.
constexpr char kNet[] = R"(
  x = arg f32[5,3] picture = arg f32[3,4,4,2] boxes = arg f32[3,4]
  i = arg i32[2,3] j = arg i64[4] k = arg i32[3,2] n = arg i32[3] d = arg i32[2,5] e = arg i32[5]
  a = Gather(x, i) a2 = Unary(a) {kind: Neg}
  b = Gather(x, j) {axis: 0} b2 = Unary(b) {kind: Neg}
  c = GatherNd(x, k) c2 = Unary(c) {kind: Neg}
  crop = CropAndResize(picture, boxes, n) {crop_h: 2, crop_w: 3} crop2 = Unary(crop) {kind: Neg}
  q = Binary(d, e) {kind: FloorDiv} q2 = Unary(q) {kind: Neg}
  out0 = ret(a2) out1 = ret(b2) out2 = ret(c2) out3 = ret(crop2) out4 = ret(q2))";
constexpr int kNumOutputs = 5;

// In the order of kNet.
enum Input : int32_t { kX, kPicture, kBoxes, kI, kJ, kK, kN, kD, kE };

struct Bad {
  Input input;
  int64_t element, value;
  const char* step;
};
constexpr Bad kBad[] = {
    {kI, 0, 5, "a"},
    {kI, 2, -1, "a"},
    {kI, 5, INT32_MAX, "a"},
    {kI, 3, INT32_MIN, "a"},
    {kJ, 0, 5, "b"},
    {kJ, 1, -1, "b"},
    {kJ, 3, int64_t{1} << 32, "b"},  // its low word is in range
    {kJ, 2, INT64_MIN, "b"},
    {kJ, 3, -(int64_t{1} << 40) + 2, "b"},
    {kK, 0, 5, "c"},
    {kK, 1, 3, "c"},
    {kK, 2, -1, "c"},
    {kK, 5, 3, "c"},
    {kN, 0, 3, "crop"},
    {kN, 2, -1, "crop"},
    {kE, 0, 0, "q"},
    {kE, 4, 0, "q"},
};

class VulkanBadIndex : public testing::Test {
 protected:
  void SetUp() override {
    if (VulkanSpy::Get() == nullptr) GTEST_SKIP() << "no Vulkan library";
    const Status status = OpenDevice({});
    if (!status.ok()) GTEST_SKIP() << status.what();
  }
  void TearDown() override { Close(); }

  void ClosePlan() {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
    session_ = nullptr;
    plan_ = nullptr;
  }
  void Close() {
    ClosePlan();
    if (device_ != nullptr) device_->Close();
    UseDevice(nullptr);
  }

  Status OpenDevice(const Profile& profile) {
    WatchedVulkan::Reset(profile);
    VulkanSpy::Reset();
    device_ = std::make_unique<vulkan::Device>();
    UseDevice(device_.get());
    return device_->Open(VulkanSpy::Get(), nullptr);
  }
  // A session of the net on a device like that.
  void Open(const Profile& profile, const char* net = kNet) {
    Close();
    ASSERT_TRUE(OpenDevice(profile).ok());
    bytes_.emplace(VulkanPlan(net));
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    Create(LINNET_BACKEND_VULKAN);
    ASSERT_STREQ(Info().why_not_gpu == nullptr ? "" : Info().why_not_gpu, "");
  }
  void Create(linnet_backend backend) {
    linnet_session_destroy(session_);
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = backend;
    linnet_error error{};
    ASSERT_EQ(linnet_session_create(plan_, &options, &session_, &error), LINNET_OK) << error.text;
  }
  linnet_backend_info Info() const {
    linnet_backend_info info{};
    info.struct_size = sizeof(info);
    EXPECT_EQ(linnet_session_backend(session_, &info), LINNET_OK);
    return info;
  }

  void Set(Input input, int64_t element, int64_t value) {
    void* data = linnet_session_input_data(session_, input);
    if (linnet_session_input_info(session_, input)->dtype == LINNET_INT64)
      static_cast<int64_t*>(data)[element] = value;
    else
      static_cast<int32_t*>(data)[element] = static_cast<int32_t>(value);
  }
  // Inputs with which the net runs.
  void Fill() {
    for (int32_t i = 0; i < linnet_session_num_inputs(session_); ++i) {
      const linnet_tensor_info& info = *linnet_session_input_info(session_, i);
      const int64_t count = info.bytes / (info.dtype == LINNET_INT64 ? 8 : 4);
      for (int64_t at = 0; at < count; ++at) {
        if (info.dtype == LINNET_FLOAT32)
          static_cast<float*>(linnet_session_input_data(session_, i))[at] =
              static_cast<float>(at % 7) / 8;
        else
          Set(static_cast<Input>(i), at, (at * 2 + 1) % 3);
      }
    }
    for (int64_t i = 0; i < 5; ++i) Set(kE, i, i - 7);
  }
  std::vector<std::vector<uint8_t>> Outputs() const {
    std::vector<std::vector<uint8_t>> outputs;
    for (int32_t i = 0; i < kNumOutputs; ++i) {
      const auto* data = static_cast<const uint8_t*>(linnet_session_output_data(session_, i));
      outputs.emplace_back(data, data + linnet_session_output_info(session_, i)->bytes);
    }
    return outputs;
  }
  // "a: Gather: an index is out of range": what the failed run says, without the step's number.
  std::string Error() const {
    const std::string text = linnet_session_last_error(session_)->text;
    const size_t quote = text.find('\'');
    return quote == std::string::npos ? text : text.substr(quote + 1);
  }

  std::unique_ptr<vulkan::Device> device_;
  std::optional<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

const Profile kProfiles[] = {
    {},
    {.discrete = true},
    {.non_coherent = true},
    {.discrete = true, .non_coherent = true, .least = true, .window_alignment = 256},
};

// What the CPU says of each of kBad, and what the net gives where nothing is bad.
struct Expected {
  std::vector<std::string> errors;
  std::vector<std::vector<uint8_t>> outputs;
};

TEST_F(VulkanBadIndex, IsReportedAsOnTheCpu) {
  for (const Profile& profile : kProfiles) {
    SCOPED_TRACE(&profile - kProfiles);
    Open(profile);
    if (HasFatalFailure()) return;
    Create(LINNET_BACKEND_PORTABLE);
    Expected expected;
    Fill();
    ASSERT_EQ(linnet_session_run(session_), LINNET_OK);
    expected.outputs = Outputs();
    for (const Bad& bad : kBad) {
      Fill();
      Set(bad.input, bad.element, bad.value);
      EXPECT_EQ(linnet_session_run(session_), LINNET_BAD_INDEX);
      expected.errors.push_back(Error());
      EXPECT_THAT(expected.errors.back(), testing::StartsWith(std::string(bad.step) + "': "));
    }
    Create(LINNET_BACKEND_VULKAN);
    Fill();
    ASSERT_EQ(linnet_session_run(session_), LINNET_OK);
    EXPECT_EQ(Outputs(), expected.outputs);
    for (size_t i = 0; i < std::size(kBad); ++i) {
      SCOPED_TRACE(i);
      Fill();
      Set(kBad[i].input, kBad[i].element, kBad[i].value);
      EXPECT_EQ(linnet_session_run(session_), LINNET_BAD_INDEX);
      EXPECT_EQ(Error(), expected.errors[i]);
      // The next run finds nothing of it.
      Fill();
      EXPECT_EQ(linnet_session_run(session_), LINNET_OK);
      EXPECT_EQ(Outputs(), expected.outputs);
    }
    EXPECT_EQ(Info().backend, LINNET_BACKEND_VULKAN);
    EXPECT_EQ(Info().device_lost, 0);
    Close();
    EXPECT_EQ(WatchedVulkan::live(), 0);
    EXPECT_STREQ(WatchedVulkan::misuse(), "");
  }
}

TEST_F(VulkanBadIndex, TheFirstStepOfSeveralIsReported) {
  Open({});
  if (HasFatalFailure()) return;
  // The step that each input fails.
  std::vector<std::pair<int32_t, const Bad*>> steps;
  for (const Bad& bad : kBad) {
    Fill();
    Set(bad.input, bad.element, bad.value);
    ASSERT_EQ(linnet_session_run(session_), LINNET_BAD_INDEX);
    steps.emplace_back(linnet_session_last_error(session_)->step, &bad);
  }
  for (const auto& [step, bad] : steps)
    for (const auto& [other_step, other] : steps) {
      Fill();
      Set(bad->input, bad->element, bad->value);
      Set(other->input, other->element, other->value);
      EXPECT_EQ(linnet_session_run(session_), LINNET_BAD_INDEX);
      EXPECT_EQ(linnet_session_last_error(session_)->step, std::min(step, other_step));
    }
}

// The words are in a buffer of the segment's own, which others do not have.
TEST_F(VulkanBadIndex, CostsOneAllocation) {
  constexpr char kKnown[] = R"(x = arg f32[5,3] i = arg i32[2]
      a = Gather(x, const i32[2] {4, 0}) b = Gather(a, const i32[1] 1)
      c = Binary(i, const i32[2] {1, 2}) {kind: FloorDiv} out = ret(b) two = ret(c))";
  constexpr char kComputed[] = R"(x = arg f32[5,3] i = arg i32[2]
      a = Gather(x, const i32[2] {4, 0}) b = Gather(a, i)
      c = Binary(i, const i32[2] {1, 2}) {kind: FloorDiv} d = Gather(i, c) out = ret(b) two = ret(d))";
  Open({}, kKnown);
  if (HasFatalFailure()) return;
  const int64_t known = WatchedVulkan::calls_of("vkAllocateMemory");
  Open({}, kComputed);
  EXPECT_EQ(WatchedVulkan::calls_of("vkAllocateMemory"), known + 1);
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  ASSERT_EQ(linnet_session_memory(session_, &memory), LINNET_OK);
  EXPECT_EQ(memory.devices, WatchedVulkan::live_bytes());
}

// Whatever call fails: the answer is right, and all objects are gone in the end.
TEST_F(VulkanBadIndex, EachCallFailsInTurn) {
  Open({});
  if (HasFatalFailure()) return;
  Fill();
  ASSERT_EQ(linnet_session_run(session_), LINNET_OK);
  const std::vector<std::vector<uint8_t>> outputs = Outputs();
  for (int64_t call = 0;; ++call) {
    Close();
    ASSERT_TRUE(OpenDevice({.discrete = true, .non_coherent = true}).ok());
    const int64_t before = WatchedVulkan::calls();
    WatchedVulkan::FailAt(before + call, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    Create(LINNET_BACKEND_VULKAN);
    Fill();
    Set(kI, 3, 5);
    EXPECT_EQ(linnet_session_run(session_), LINNET_BAD_INDEX) << WatchedVulkan::failed();
    Fill();
    EXPECT_EQ(linnet_session_run(session_), LINNET_OK) << WatchedVulkan::failed();
    EXPECT_EQ(Outputs(), outputs) << WatchedVulkan::failed();
    const std::string failed = WatchedVulkan::failed();
    ClosePlan();
    if (device_->lost()) {  // a wait failed
      // The GPU may still be working.
      static std::vector<std::unique_ptr<vulkan::Device>> leaked;
      leaked.push_back(std::move(device_));
    } else {
      Close();
      EXPECT_EQ(WatchedVulkan::live(), 0) << failed;
    }
    if (failed.empty()) break;
  }
}

}  // namespace
}  // namespace linnet
