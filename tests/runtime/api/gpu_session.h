// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "tests/runtime/api/fake_gpu.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {

// Two segments of the GPU with a step of the host between them.
inline constexpr char kMixed[] = R"(
  x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} out = ret(c))";

// Tests of plans with a program for the GPU, which is the test device.
class GpuTest : public testing::Test {
 protected:
  GpuTest() { FakeGpu().Repair(); }
  ~GpuTest() override {
    for (linnet_session* session : sessions_) linnet_session_destroy(session);
    linnet_plan_close(plan_);
    EXPECT_EQ(FakeGpu().counts().alive, 0);
  }

  void Open(const std::vector<std::byte>& bytes) {
    bytes_.emplace(bytes);
    linnet_error error{};
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, &error),
              LINNET_OK)
        << error.text;
  }
  void OpenVariants(std::string_view text) { Open(VariantsPlan(text)); }

  // With a log of what it says.
  linnet_session_options Options(linnet_backend backend) {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = backend;
    options.log = [](void* test, linnet_log_level level, const char* text) {
      static_cast<GpuTest*>(test)->log_ +=
          std::string(level == LINNET_LOG_WARNING ? "warning: " : "") + text + "\n";
    };
    options.log_context = this;
    return options;
  }
  linnet_session* Create(linnet_session_options options) {
    linnet_session* session = nullptr;
    linnet_error error{};
    EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error), LINNET_OK) << error.text;
    sessions_.push_back(session);
    return session;
  }
  linnet_session* Create(linnet_backend backend) { return Create(Options(backend)); }

  static linnet_backend_info InfoOf(const linnet_session* session) {
    linnet_backend_info info{};
    info.struct_size = sizeof(info);
    EXPECT_EQ(linnet_session_backend(session, &info), LINNET_OK);
    return info;
  }
  // "" for the GPU.
  static std::string WhyNot(const linnet_session* session) {
    const linnet_backend_info info = InfoOf(session);
    EXPECT_EQ(info.why_not_gpu == nullptr, info.backend == LINNET_BACKEND_VULKAN);
    return info.why_not_gpu == nullptr ? "" : info.why_not_gpu;
  }

  static float* Input(linnet_session* session, int32_t index = 0) {
    return static_cast<float*>(linnet_session_input_data(session, index));
  }
  static std::vector<float> Output(linnet_session* session, int32_t index = 0) {
    int64_t dims[LINNET_MAX_RANK];
    const int32_t rank = linnet_session_output_shape(session, index, dims);
    int64_t count = 1;
    for (int32_t i = 0; i < rank; ++i) count *= dims[i];
    const auto* data = static_cast<const float*>(linnet_session_output_data(session, index));
    return {data, data + count};
  }
  static void Fill(linnet_session* session, std::vector<float> values, int32_t index = 0) {
    std::copy(values.begin(), values.end(), Input(session, index));
  }

  std::optional<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
  std::vector<linnet_session*> sessions_;
  std::string log_;
};

}  // namespace linnet
