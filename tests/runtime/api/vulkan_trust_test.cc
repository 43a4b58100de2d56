// SPDX-License-Identifier: Apache-2.0
// The self-test and its cache on a driver: what is planted in a shader's output never passes, the
// driver gets back what it compiled, and whatever call fails, the answer is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linnet/linnet.h"
#include "tests/runtime/api/spied_vulkan.h"
#include "tests/runtime/backends/vulkan/spirv_module.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {
namespace {

using testing::HasSubstr;
using vulkan::WatchedVulkan;
using Blob = std::vector<std::byte>;

class VulkanTrust : public testing::Test {
 protected:
  void SetUp() override {
    if (VulkanSpy::Get() == nullptr) GTEST_SKIP() << "no Vulkan library";
    WatchedVulkan::Reset();
    VulkanSpy::Reset();
    const Status status = OpenDevice();
    if (!status.ok()) GTEST_SKIP() << status.what();
  }
  void TearDown() override {
    ClosePlan();
    if (device_ != nullptr) device_->Close();
    UseDevice(nullptr);
  }

  Status OpenDevice() {
    device_ = std::make_unique<vulkan::Device>();
    UseDevice(device_.get());
    return device_->Open(VulkanSpy::Get(), nullptr);
  }
  void OpenPlan(std::string_view text,
                converter::GpuPrecision precision = converter::GpuPrecision::kF32) {
    bytes_.emplace(VulkanPlan(text, precision));
    OpenPlan();
  }
  void OpenPlan() {
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
  }
  void ClosePlan() {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
    session_ = nullptr;
    plan_ = nullptr;
  }

  // Creates the session.
  linnet_backend_info Create(const Blob& cache = {}) {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = LINNET_BACKEND_VULKAN;
    options.cache = cache.data();
    options.cache_bytes = cache.size();
    linnet_error error{};
    EXPECT_EQ(linnet_session_create(plan_, &options, &session_, &error), LINNET_OK) << error.text;
    linnet_backend_info info{};
    info.struct_size = sizeof(info);
    EXPECT_EQ(linnet_session_backend(session_, &info), LINNET_OK);
    return info;
  }
  // Why the GPU does not run it; "" when it does.
  std::string WhyNot() {
    const linnet_backend_info info = Create();
    return info.why_not_gpu == nullptr ? "" : info.why_not_gpu;
  }
  Blob Cache() const {
    Blob blob(static_cast<size_t>(linnet_session_cache(session_, nullptr, 0)));
    EXPECT_EQ(linnet_session_cache(session_, blob.data(), blob.size()), std::ssize(blob));
    return blob;
  }
  // Runs it on ones.
  std::vector<float> Run() {
    const linnet_tensor_info& input = *linnet_session_input_info(session_, 0);
    std::fill_n(static_cast<float*>(linnet_session_input_data(session_, 0)), input.bytes / 4, 1.0f);
    EXPECT_EQ(linnet_session_run(session_), LINNET_OK);
    const auto* output = static_cast<const float*>(linnet_session_output_data(session_, 0));
    return {output, output + linnet_session_output_info(session_, 0)->bytes / 4};
  }

  std::unique_ptr<vulkan::Device> device_;
  std::optional<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

struct OneOp {
  const char* name;
  const char* text;
  DType dtype = DType::kFloat32;  // of the output
};

// The largest magnitude among the elements of a tensor in Layout::kRows4.
double Largest(const std::vector<uint32_t>& words, DType dtype) {
  double largest = 0;
  for (const uint32_t word : words)
    largest = std::max(largest, dtype == DType::kFloat32
                                    ? std::fabs(double{std::bit_cast<float>(word)})
                                    : std::fabs(static_cast<double>(std::bit_cast<int32_t>(word))));
  return largest;
}

uint32_t Moved(uint32_t word, DType dtype, double by) {
  if (dtype == DType::kFloat32)
    return std::bit_cast<uint32_t>(std::bit_cast<float>(word) + static_cast<float>(by));
  if (dtype == DType::kBool) return word ^ 1;
  return std::bit_cast<uint32_t>(std::bit_cast<int32_t>(word) + static_cast<int32_t>(by));
}

class PlantedErrors : public VulkanTrust, public testing::WithParamInterface<OneOp> {};

TEST_P(PlantedErrors, NeverPass) {
  const DType dtype = GetParam().dtype;
  OpenPlan(GetParam().text);
  VulkanSpy::KeepOutput();
  ASSERT_EQ(Create().backend, LINNET_BACKEND_VULKAN);  // counts the dispatches
  ClosePlan();
  OpenPlan();
  ASSERT_EQ(WhyNot(), "");
  const std::vector<uint32_t> clean = VulkanSpy::Output();
  const linnet_tensor_info& output = *linnet_session_output_info(session_, 0);
  const int64_t columns = output.rank == 0 ? 1 : output.dims[output.rank - 1];
  const int64_t rows = output.bytes / DTypeBytes(dtype) / columns;
  ASSERT_EQ(std::ssize(clean), rows * ((columns + 3) / 4 * 4));
  const double largest = Largest(clean, dtype);
  ASSERT_GT(largest, 0);
  const std::pair<int64_t, int64_t> places[] = {
      {0, 0}, {rows / 2, columns - 1}, {rows - 1, columns / 2}};
  for (const auto& [row, column] : places) {
    const auto word = static_cast<size_t>(row * ((columns + 3) / 4 * 4) + column);
    const uint32_t value = clean[word], nan = std::bit_cast<uint32_t>(std::nanf(""));
    const struct {
      const char* what;
      uint32_t odd, even;
      bool passes;
    } errors[] = {{"nothing", value, value, true},
                  {"more", Moved(value, dtype, largest), Moved(value, dtype, largest), false},
                  {"less", Moved(value, dtype, -largest), Moved(value, dtype, -largest), false},
                  {"NaN", nan, nan, false},
                  {"changing", value ^ 1, value, false}};
    for (const auto& error : errors) {
      if (dtype != DType::kFloat32 && error.odd == nan) continue;
      ClosePlan();
      OpenPlan();
      VulkanSpy::Plant(word, error.odd, error.even);
      const std::string why = WhyNot();
      EXPECT_EQ(why.empty(), error.passes) << error.what << " at " << word << ": " << why;
      if (!error.passes) {
        EXPECT_THAT(why, HasSubstr("the GPU failed the self-test"));
      }
    }
  }
}

constexpr OneOp kOps[] = {
    {"Unary", "x = arg f32[3,5] a = Unary(x) {kind: Exp} out = ret(a)"},
    {"Logarithm", "x = arg f32[7] a = Unary(x) {kind: Log} out = ret(a)"},
    {"AreaCosine", "x = arg f32[7] a = Unary(x) {kind: Acosh} out = ret(a)"},
    {"Binary", "x = arg f32[2,9] y = arg f32[9] a = Binary(x, y) {kind: Mul} out = ret(a)"},
    {"Clamp", "x = arg f32[4,4] a = Clamp(x) {range: {min: 0.25, max: 0.75}} out = ret(a)"},
    {"Conv2D", R"(x = arg f32[1,6,7,3] a = Conv2D(x, const f32[5,3,3,3] seed=1)
                  {pad_top: 1, pad_left: 1} out = ret(a))"},
    {"DepthwiseConv2D",
     "x = arg f32[1,6,6,6] a = DepthwiseConv2D(x, const f32[3,3,6] seed=2) out = ret(a)"},
    {"FullyConnected",
     "x = arg f32[2,10] a = FullyConnected(x, const f32[7,10] seed=3, const f32[7] seed=4) "
     "out = ret(a)"},
    {"BatchMatMul", "x = arg f32[2,3,4] y = arg f32[2,4,5] a = BatchMatMul(x, y) out = ret(a)"},
    {"Softmax", "x = arg f32[3,9] a = Softmax(x) out = ret(a)"},
    {"Reduce", "x = arg f32[5,6] a = Reduce(x) {kind: Sum, axes: [1]} out = ret(a)"},
    {"ReduceToOne", "x = arg f32[5,60] a = Reduce(x) {kind: Mean, axes: [0, 1]} out = ret(a)"},
    {"ArgReduce", "x = arg f32[6,11] a = ArgReduce(x) {axis: 1, dtype: 3} out = ret(a)",
     DType::kInt32},
    {"Compare", "x = arg f32[4,3] y = arg f32[4,3] a = Compare(x, y) {kind: Less} out = ret(a)",
     DType::kBool},
    {"Integers", "x = arg i32[4,3] y = arg i32[4,3] a = Binary(x, y) {kind: Add} out = ret(a)",
     DType::kInt32},
    {"Transpose", "x = arg f32[3,5] a = Transpose(x) {perm: [1, 0]} out = ret(a)"},
    {"Gather", "x = arg f32[6,5] a = Gather(x, const i32[4] {5, 0, 2, 2}) out = ret(a)"},
    {"GatherFromData", "x = arg f32[6,5] i = arg i64[4] a = Gather(x, i) out = ret(a)"},
    {"GatherNd", "x = arg f32[6,5] i = arg i32[4,2] a = GatherNd(x, i) out = ret(a)"},
    {"OneHot", R"(x = arg i64[6] a = OneHot(x, const f32[] 3, const f32[] 1) {depth: 5, axis: 1}
                  out = ret(a))"},
    {"CropAndResize", R"(x = arg f32[2,4,4,2] b = arg f32[3,4] i = arg i32[3]
                         a = CropAndResize(x, b, i) {crop_h: 2, crop_w: 3} out = ret(a))"},
    {"Positions", "x = arg f32[6,11] a = ArgReduce(x) {axis: 1, dtype: 4} out = ret(a)",
     DType::kInt64},
    {"Pad", "x = arg f32[3,5] a = Pad(x) {before: [1, 1], after: [0, 2]} out = ret(a)"},
    {"Concat", "x = arg f32[3,2] y = arg f32[3,3] a = Concat(x, y) {axis: 1} out = ret(a)"},
};
INSTANTIATE_TEST_SUITE_P(, PlantedErrors, testing::ValuesIn(kOps),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr char kNet[] = R"(
  x = arg f32[1,6,7,3] a = Conv2D(x, const f32[5,3,3,3] seed=1)
  b = Unary(a) {kind: Tanh} c = Softmax(b) out = ret(c))";

TEST_F(VulkanTrust, TheDriverGetsBackWhatItCompiled) {
  OpenPlan(kNet);
  EXPECT_EQ(Create().self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_EQ(WatchedVulkan::calls_of("vkQueueSubmit"), 4);
  EXPECT_THAT(VulkanSpy::cache_bytes(), testing::ElementsAre(0));
  const std::vector<float> result = Run();
  const Blob cache = Cache();
  ClosePlan();
  VulkanSpy::Reset();
  WatchedVulkan::Reset();
  OpenPlan();
  EXPECT_EQ(Create(cache).self_test, LINNET_SELF_TEST_CACHED);
  EXPECT_EQ(WatchedVulkan::calls_of("vkQueueSubmit"), 0);
  ASSERT_EQ(VulkanSpy::cache_bytes().size(), 1u);
  EXPECT_GE(VulkanSpy::cache_bytes()[0], sizeof(VkPipelineCacheHeaderVersionOne));
  EXPECT_EQ(WatchedVulkan::calls_of("vkCreateComputePipelines"), 1);
  EXPECT_EQ(VulkanSpy::with_cache(), 1);
  EXPECT_EQ(VulkanSpy::without_cache(), 0);
  EXPECT_EQ(Run(), result);
}

TEST_F(VulkanTrust, DamagedCachesDoNotReachTheDriver) {
  OpenPlan("x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a)");
  Create();
  const Blob cache = Cache();
  // Each seventh byte of lavapipe's cache; those of graphics cards are far larger.
  constexpr size_t kMostPlaces = 1000;
  const size_t stride = std::max<size_t>(7, cache.size() / kMostPlaces);
  for (size_t i = 0; i < cache.size(); i += stride) {
    ClosePlan();
    VulkanSpy::Reset();
    OpenPlan();
    Blob damaged = cache;
    damaged[i] ^= std::byte{1};
    const linnet_backend_info info = Create(damaged);
    EXPECT_NE(info.why_cache_refused, nullptr) << i;
    EXPECT_EQ(info.self_test, LINNET_SELF_TEST_PASSED);
    EXPECT_THAT(VulkanSpy::cache_bytes(), testing::ElementsAre(0));
  }
}

// Whatever call fails from creating the session to storing the cache: the answer is right, and all
// objects are gone in the end.
TEST_F(VulkanTrust, EachCallFailsInTurn) {
  OpenPlan(kNet);
  Create();
  const std::vector<float> result = Run();
  const Blob cache = Cache();
  ClosePlan();
  int on_gpu = 0;
  for (const VkResult error : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INITIALIZATION_FAILED}) {
    for (int64_t call = 0;; ++call) {
      WatchedVulkan::Reset();
      WatchedVulkan::FailAt(call, error);
      OpenPlan();
      const linnet_backend_info info = Create(call % 2 == 0 ? cache : Blob());
      const std::vector<float> got = Run();
      for (size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(got[i], result[i], 1e-5);
      EXPECT_GE(linnet_session_cache(session_, nullptr, 0), 0);
      const std::string failed = WatchedVulkan::failed();
      ClosePlan();
      if (failed.empty()) break;
      on_gpu += info.backend == LINNET_BACKEND_VULKAN ? 1 : 0;
      if (failed.find("PipelineCache") != std::string::npos) {
        EXPECT_EQ(info.backend, LINNET_BACKEND_VULKAN) << failed << " does not matter";
      }
      if (device_->lost()) {  // a wait failed
        EXPECT_EQ(WatchedVulkan::calls_after_failure(), 0) << failed;
        static std::vector<std::unique_ptr<vulkan::Device>> leaked;  // the GPU may still be working
        leaked.push_back(std::move(device_));
        ASSERT_TRUE(OpenDevice().ok());
      } else {
        EXPECT_EQ(WatchedVulkan::live(), 0) << failed << ", call " << call;
      }
    }
  }
  EXPECT_GT(on_gpu, 0);
}

// Floats in 16 bits on a GPU that multiplies them as they are.
class NativeHalves : public VulkanTrust {
 protected:
  static constexpr char kConv[] = R"(
    x = arg f32[1,6,7,30] a = Conv2D(x, const f32[5,3,3,30] seed=1) out = ret(a))";

  void SetUp() override {
    VulkanTrust::SetUp();
    if (IsSkipped()) return;
    if (!device_->CanUse(vulkan::ShaderMode::k_f16a))
      GTEST_SKIP() << "the GPU has no arithmetic of 16-bit floats";
    device_->set_native_halves(false);
    OpenPlan(kConv, converter::GpuPrecision::kF16);
    EXPECT_EQ(Create().self_test, LINNET_SELF_TEST_PASSED);
    packed_result_ = Run();
    ClosePlan();
    WatchedVulkan::Reset();
    device_->set_native_halves(true);
    OpenPlan();
  }

  std::vector<float> packed_result_;  // of the precise way
};

TEST_F(NativeHalves, AreUsed) {
  EXPECT_EQ(Create().self_test, LINNET_SELF_TEST_PASSED);
  const std::vector<float> result = Run();
  EXPECT_NE(result, packed_result_);
  const Blob cache = Cache();
  ClosePlan();
  OpenPlan();
  EXPECT_EQ(Create(cache).self_test, LINNET_SELF_TEST_CACHED);
  EXPECT_EQ(Run(), result);
  // What this says of native halves says nothing of packed ones.
  ClosePlan();
  OpenPlan();
  device_->set_native_halves(false);
  EXPECT_EQ(Create(cache).self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_EQ(Run(), packed_result_);
}

TEST_F(NativeHalves, NeedTheFeature) {
  ClosePlan();
  device_->Close();
  WatchedVulkan::Reset({.no_halves = true});
  ASSERT_TRUE(OpenDevice().ok());
  device_->set_native_halves(true);
  OpenPlan();
  EXPECT_EQ(Create().backend, LINNET_BACKEND_VULKAN);
  EXPECT_EQ(Run(), packed_result_);
}

// In this process and the next, the GPU runs the plan with packed halves.
TEST_F(NativeHalves, AWrongShader) {
  const std::vector<uint32_t> right =
      vulkan::WordsOf(vulkan::Shader::k_conv2d, vulkan::ShaderMode::k_f16a);
  std::vector<uint32_t> wrong = right;
  constexpr uint32_t kFAdd = 129, kFMul = 133;
  for (size_t i = 5; i < wrong.size(); i += right[i] >> 16)
    if ((wrong[i] & 0xffff) == kFAdd) wrong[i] += kFMul - kFAdd;
  ASSERT_NE(wrong, right);
  WatchedVulkan::ReplaceShader(right, wrong);
  const linnet_backend_info info = Create();
  EXPECT_EQ(info.backend, LINNET_BACKEND_VULKAN) << info.why_not_gpu;
  EXPECT_EQ(info.self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_EQ(Run(), packed_result_);
  const Blob cache = Cache();
  ClosePlan();
  OpenPlan();
  const int64_t submissions = WatchedVulkan::calls_of("vkQueueSubmit");
  EXPECT_EQ(Create(cache).self_test, LINNET_SELF_TEST_CACHED);
  EXPECT_EQ(WatchedVulkan::calls_of("vkQueueSubmit"), submissions);
  EXPECT_EQ(Run(), packed_result_);
}

// Whatever call fails, so that the session with native halves cannot be had: one with packed halves
// can, but where memory or the device is gone.
TEST_F(NativeHalves, EachCallFailsInTurn) {
  ClosePlan();
  int packed = 0;
  for (int64_t call = 0;; ++call) {
    WatchedVulkan::Reset();
    WatchedVulkan::FailAt(call, VK_ERROR_INITIALIZATION_FAILED);
    OpenPlan();
    const linnet_backend_info info = Create();
    const std::string failed = WatchedVulkan::failed();
    if (failed == "vkWaitForFences") {
      EXPECT_EQ(info.backend, LINNET_BACKEND_CPU);
      ClosePlan();
      static std::vector<std::unique_ptr<vulkan::Device>> leaked;  // the GPU may still be working
      leaked.push_back(std::move(device_));
      ASSERT_TRUE(OpenDevice().ok());
      device_->set_native_halves(true);
      continue;
    }
    EXPECT_EQ(info.backend, LINNET_BACKEND_VULKAN) << failed;
    if (failed.empty()) break;
    packed += Run() == packed_result_ ? 1 : 0;
    ClosePlan();
    EXPECT_EQ(WatchedVulkan::live(), 0) << failed << ", call " << call;
  }
  EXPECT_GT(packed, 10);
}

}  // namespace
}  // namespace linnet
