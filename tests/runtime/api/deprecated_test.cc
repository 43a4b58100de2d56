// SPDX-License-Identifier: Apache-2.0
// Former names of functions: each behaves like the new one, also with NULL.
#include <string>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/api/softmax_plan.h"
#include "tests/runtime/placed_bytes.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace linnet {
namespace {

TEST(FormerNames, RunAPlan) {
  const PlacedBytes bytes(SoftmaxPlan());
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  linnet_error error{};
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, &error), LINNET_OK);
  ASSERT_EQ(linnet_session_create(plan, nullptr, &session, &error), LINNET_OK) << error.text;
  EXPECT_EQ(linnet_num_inputs(session), 1);
  EXPECT_EQ(linnet_num_outputs(session), 1);
  EXPECT_EQ(linnet_input_info(session, 0), linnet_session_input_info(session, 0));
  EXPECT_EQ(linnet_output_info(session, 0), linnet_session_output_info(session, 0));
  EXPECT_EQ(linnet_find_input(session, linnet_input_info(session, 0)->name), 0);
  EXPECT_EQ(linnet_find_output(session, linnet_output_info(session, 0)->name), 0);
  EXPECT_EQ(linnet_find_output(session, "nothing"), -1);
  int64_t dims[LINNET_MAX_RANK] = {};
  EXPECT_EQ(linnet_input_shape(session, 0, dims), 2);
  EXPECT_EQ(linnet_output_shape(session, 0, dims), 2);
  EXPECT_EQ(dims[1], 3);
  EXPECT_EQ(linnet_set_input_shape(session, 0, dims, 2), LINNET_OK);
  EXPECT_EQ(linnet_input_data(session, 0), linnet_session_input_data(session, 0));
  EXPECT_EQ(linnet_output_data(session, 0), linnet_session_output_data(session, 0));
  alignas(64) float x[32] = {}, y[32] = {};
  EXPECT_EQ(linnet_bind_input(session, 0, x, sizeof(x)), LINNET_OK);
  EXPECT_EQ(linnet_bind_output(session, 0, y, sizeof(y)), LINNET_OK);
  linnet_enable_profile(session, 1);
  linnet_cancel(session);
  EXPECT_EQ(linnet_run(session), LINNET_CANCELLED);
  EXPECT_EQ(linnet_last_error(session)->status, LINNET_CANCELLED);
  EXPECT_EQ(linnet_run(session), LINNET_OK);
  EXPECT_NEAR(y[0], 1.0f / 3, 1e-6f);
  EXPECT_EQ(linnet_num_steps(session), 1);
  EXPECT_NE(linnet_step_ns(session), nullptr);
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  EXPECT_EQ(linnet_get_step_info(session, 0, &info),
            linnet_session_get_step_info(session, 0, &info));
  linnet_session_destroy(session);
  linnet_plan_close(plan);
}

TEST(FormerNames, TheLibraryOfKernels) {
  const std::string now = linnet_cpu_kernels(), former = linnet_xnnpack_package();
  EXPECT_EQ(now, former == "none" ? former : "XNNPACK " + former);
}

}  // namespace
}  // namespace linnet
