// SPDX-License-Identifier: Apache-2.0
// Every function of the C API, called with NULL where it needs a pointer, must return an error and
// not crash.
#include <gtest/gtest.h>

#include <cstring>

#include "linnet/linnet.h"
#include "tests/runtime/api/softmax_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

bool SaysNull(const linnet_error& error) {
  return error.status == LINNET_INVALID_ARGUMENT && std::strstr(error.text, "NULL") != nullptr;
}

TEST(Null, PlansAreRefused) {
  linnet_error error{};
  linnet_plan* plan = nullptr;
  EXPECT_EQ(linnet_plan_open_file("x", nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_plan_open_file(nullptr, nullptr, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_plan_open_fd(0, 0, 0, nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_plan_open_memory("x", 1, nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_plan_open_memory(nullptr, 1, nullptr, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_plan_open_memory(nullptr, 1, nullptr, &plan, nullptr), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_plan_open_reader(nullptr, nullptr, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  linnet_reader reader{};
  reader.struct_size = sizeof(reader);
  EXPECT_EQ(linnet_plan_open_reader(&reader, nullptr, &plan, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_plan_open_reader(&reader, nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  linnet_plan_close(nullptr);
  EXPECT_EQ(linnet_plan_num_signatures(nullptr), 0);
  EXPECT_EQ(linnet_plan_num_inputs(nullptr, 0), 0);
  EXPECT_EQ(linnet_plan_num_outputs(nullptr, 0), 0);
  EXPECT_EQ(linnet_plan_input_info(nullptr, 0, 0), nullptr);
  EXPECT_EQ(linnet_plan_output_info(nullptr, 0, 0), nullptr);
  EXPECT_EQ(linnet_plan_signature(nullptr, 0), nullptr);
  linnet_plan_stats stats{};
  stats.struct_size = sizeof(stats);
  EXPECT_EQ(linnet_plan_get_stats(nullptr, &stats), LINNET_INVALID_ARGUMENT);
}

TEST(Null, SessionsOfNoPlanAreRefused) {
  linnet_error error{};
  linnet_weights* weights = nullptr;
  linnet_session* session = nullptr;
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  EXPECT_EQ(linnet_weights_prepare(nullptr, nullptr, &weights, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_session_bytes(nullptr, nullptr, &memory, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_session_create(nullptr, nullptr, &session, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_TRUE(SaysNull(error));
  EXPECT_EQ(linnet_session_create(nullptr, nullptr, nullptr, nullptr), LINNET_INVALID_ARGUMENT);
  linnet_weights_release(nullptr);
  linnet_session_destroy(nullptr);
}

TEST(Null, ASessionThatIsNoneHasNothing) {
  int64_t dims[LINNET_MAX_RANK] = {};
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  char data[64] = {};
  EXPECT_EQ(linnet_session_num_inputs(nullptr), 0);
  EXPECT_EQ(linnet_session_num_outputs(nullptr), 0);
  EXPECT_EQ(linnet_session_input_info(nullptr, 0), nullptr);
  EXPECT_EQ(linnet_session_output_info(nullptr, 0), nullptr);
  EXPECT_EQ(linnet_session_find_input(nullptr, "x"), -1);
  EXPECT_EQ(linnet_session_find_output(nullptr, "x"), -1);
  EXPECT_EQ(linnet_session_set_input_shape(nullptr, 0, dims, 1), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_input_shape(nullptr, 0, dims), -1);
  EXPECT_EQ(linnet_session_output_shape(nullptr, 0, dims), -1);
  EXPECT_EQ(linnet_session_input_data(nullptr, 0), nullptr);
  EXPECT_EQ(linnet_session_output_data(nullptr, 0), nullptr);
  EXPECT_EQ(linnet_session_bind_input(nullptr, 0, data, sizeof(data)), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bind_output(nullptr, 0, data, sizeof(data)), LINNET_INVALID_ARGUMENT);
  linnet_buffer buffer{};
  buffer.struct_size = sizeof(buffer);
  EXPECT_EQ(linnet_session_bind_input_buffer(nullptr, 0, &buffer), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bind_output_buffer(nullptr, 0, &buffer), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_run(nullptr), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_submit(nullptr), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_wait(nullptr, -1), LINNET_INVALID_ARGUMENT);
  linnet_session_reset(nullptr);
  linnet_session_cancel(nullptr);
  ASSERT_NE(linnet_session_last_error(nullptr), nullptr);
  EXPECT_TRUE(SaysNull(*linnet_session_last_error(nullptr)));
  EXPECT_EQ(linnet_session_memory(nullptr, &memory), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_cache(nullptr, nullptr, 0), -1);
  EXPECT_EQ(linnet_session_num_steps(nullptr), 0);
  EXPECT_EQ(linnet_session_get_step_info(nullptr, 0, &info), 0);
  EXPECT_EQ(linnet_session_step_kind(nullptr, 0, data, sizeof(data)), -1);
  linnet_session_enable_profile(nullptr, 1);
  EXPECT_EQ(linnet_session_step_ns(nullptr), nullptr);
  linnet_device_times times{};
  times.struct_size = sizeof(times);
  EXPECT_EQ(linnet_session_device_times(nullptr, &times), LINNET_INVALID_ARGUMENT);
}

TEST(Null, ResultsNeedAPlace) {
  const PlacedBytes bytes(SoftmaxPlan());
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  linnet_error error{};
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, &error), LINNET_OK)
      << error.text;
  ASSERT_EQ(linnet_session_create(plan, nullptr, &session, &error), LINNET_OK) << error.text;
  EXPECT_EQ(linnet_plan_get_stats(plan, nullptr), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_weights_prepare(plan, nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bytes(plan, nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_create(plan, nullptr, nullptr, &error), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_memory(session, nullptr), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_find_input(session, nullptr), -1);
  EXPECT_EQ(linnet_session_find_output(session, nullptr), -1);
  EXPECT_EQ(linnet_session_input_shape(session, 0, nullptr), -1);
  EXPECT_EQ(linnet_session_output_shape(session, 0, nullptr), -1);
  EXPECT_EQ(linnet_session_set_input_shape(session, 0, nullptr, 2), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_get_step_info(session, 0, nullptr), 0);
  EXPECT_EQ(linnet_session_device_times(session, nullptr), LINNET_INVALID_ARGUMENT);
  // Binding NULL goes back to the session's own memory.
  EXPECT_EQ(linnet_session_bind_input(session, 0, nullptr, 0), LINNET_OK);
  EXPECT_EQ(linnet_session_bind_output(session, 0, nullptr, 0), LINNET_OK);
  EXPECT_EQ(linnet_session_bind_input_buffer(session, 0, nullptr), LINNET_OK);
  EXPECT_EQ(linnet_session_bind_output_buffer(session, 0, nullptr), LINNET_OK);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  linnet_session_destroy(session);
  linnet_plan_close(plan);
}

}  // namespace
}  // namespace linnet
