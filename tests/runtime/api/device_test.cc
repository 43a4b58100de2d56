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
  ASSERT_EQ(linnet_num_devices(), 1);
  const linnet_device* cpu = linnet_get_device(0);
  ASSERT_NE(cpu, nullptr);
  EXPECT_STREQ(cpu->id, "cpu");
  EXPECT_EQ(cpu->kind, LINNET_DEVICE_CPU);
  EXPECT_NE(cpu->name, nullptr);
  EXPECT_GE(cpu->threads, 1);
  EXPECT_NE(std::strlen(cpu->instruction_set), 0u);
  EXPECT_EQ(linnet_get_device(0), cpu);
  EXPECT_EQ(linnet_get_device(1), nullptr);
  EXPECT_EQ(linnet_get_device(-1), nullptr);
}

TEST_F(Devices, EachRunsASession) {
  for (int32_t i = 0; i < linnet_num_devices(); ++i) {
    options_.device = linnet_get_device(i)->id;
    linnet_session* session = nullptr;
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
