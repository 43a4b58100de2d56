// SPDX-License-Identifier: Apache-2.0
// Lists the devices of this machine, and chooses one.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "linnet/linnet.h"
#include "tests/runtime/api/softmax_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

class Devices : public testing::Test {
 protected:
  void SetUp() override {
    bytes_.emplace(SoftmaxPlan());
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
    options_.struct_size = sizeof(options_);
  }
  void TearDown() override { linnet_plan_close(plan_); }

  std::optional<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session_options options_{};
  linnet_error error_{};
};

TEST_F(Devices, TheCpuIsOne) {
  const int32_t count = linnet_num_devices();
  ASSERT_GE(count, 1);
  const linnet_device* cpu = linnet_get_device(0);
  ASSERT_NE(cpu, nullptr);
  EXPECT_STREQ(cpu->id, "cpu");
  EXPECT_EQ(cpu->kind, LINNET_DEVICE_CPU);
  EXPECT_NE(cpu->name, nullptr);
  EXPECT_GE(cpu->threads, 1);
  EXPECT_NE(std::strlen(cpu->instruction_set), 0u);
  EXPECT_STREQ(cpu->driver, "");
  EXPECT_EQ(cpu->is_software, 0);
  EXPECT_EQ(linnet_get_device(0), cpu);
  EXPECT_EQ(linnet_get_device(count), nullptr);
  EXPECT_EQ(linnet_get_device(-1), nullptr);
}

TEST_F(Devices, TheGpuIsAnother) {
  if (linnet_num_devices() == 1) GTEST_SKIP() << "no Vulkan device";
  ASSERT_EQ(linnet_num_devices(), 2);
  const linnet_device* gpu = linnet_get_device(1);
  ASSERT_NE(gpu, nullptr);
  EXPECT_STREQ(gpu->id, "vulkan");
  EXPECT_EQ(gpu->kind, LINNET_DEVICE_GPU);
  EXPECT_NE(std::strlen(gpu->name), 0u);
  EXPECT_NE(std::strlen(gpu->driver), 0u);
  EXPECT_STREQ(gpu->instruction_set, "");
  EXPECT_GT(gpu->memory_bytes, 0);
  if (std::strstr(gpu->name, "llvmpipe") != nullptr) {
    EXPECT_EQ(gpu->is_software, 1);
    EXPECT_EQ(gpu->computes_f16, 1);
    EXPECT_NE(std::strstr(gpu->driver, "Mesa"), nullptr) << gpu->driver;
  }
  if (std::strstr(gpu->name, "SwiftShader") != nullptr) {
    EXPECT_EQ(gpu->is_software, 1);
    EXPECT_EQ(gpu->computes_f16, 0);
  }
  EXPECT_EQ(linnet_get_device(1), gpu);
}

TEST_F(Devices, EachRunsASession) {
  for (int32_t i = 0; i < linnet_num_devices(); ++i) {
    options_.device = linnet_get_device(i)->id;
    linnet_session* session = nullptr;
    if (linnet_get_device(i)->kind == LINNET_DEVICE_GPU) {
      // As for anyone who asks for the GPU with a plan that is not for it.
      EXPECT_EQ(linnet_session_create(plan_, &options_, &session, &error_), LINNET_UNSUPPORTED);
      EXPECT_NE(std::strstr(error_.text, "--place vulkan"), nullptr) << error_.text;
      continue;
    }
    ASSERT_EQ(linnet_session_create(plan_, &options_, &session, &error_), LINNET_OK) << error_.text;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    linnet_session_destroy(session);
  }
}

TEST_F(Devices, OthersAreRefused) {
  for (const char* id : {"", "CPU", "npu0"}) {
    options_.device = id;
    linnet_session* session = nullptr;
    linnet_weights* weights = nullptr;
    linnet_memory memory{};
    memory.struct_size = sizeof(memory);
    EXPECT_EQ(linnet_session_create(plan_, &options_, &session, &error_), LINNET_UNSUPPORTED);
    EXPECT_EQ(session, nullptr);
    EXPECT_NE(std::strstr(error_.text, "linnet_get_device"), nullptr) << error_.text;
    EXPECT_EQ(linnet_weights_prepare(plan_, &options_, &weights, &error_), LINNET_UNSUPPORTED);
    EXPECT_EQ(linnet_session_bytes(plan_, &options_, &memory, &error_), LINNET_UNSUPPORTED);
  }
}

// Also a session that shares weights with another one is refused. A session with given weights runs
// on the device for which they were prepared.
TEST_F(Devices, OthersAreRefusedBesideSharedWeights) {
  linnet_session *first = nullptr, *second = nullptr;
  ASSERT_EQ(linnet_session_create(plan_, nullptr, &first, &error_), LINNET_OK) << error_.text;
  options_.device = "npu0";
  EXPECT_EQ(linnet_session_create(plan_, &options_, &second, &error_), LINNET_UNSUPPORTED);
  linnet_session_destroy(first);
  linnet_weights* weights = nullptr;
  ASSERT_EQ(linnet_weights_prepare(plan_, nullptr, &weights, &error_), LINNET_OK) << error_.text;
  options_.weights = weights;
  ASSERT_EQ(linnet_session_create(plan_, &options_, &second, &error_), LINNET_OK) << error_.text;
  linnet_session_destroy(second);
  linnet_weights_release(weights);
}

}  // namespace
}  // namespace linnet
