// SPDX-License-Identifier: Apache-2.0
// A GPU that stops working in the middle of runs.
#include "tests/runtime/api/gpu_session.h"

namespace linnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DeviceLoss : public GpuTest {
 protected:
  // The outputs of the host's program.
  std::vector<float> Expected(const std::vector<float>& x) {
    linnet_session* host = Create(LINNET_BACKEND_CPU);
    Fill(host, x);
    EXPECT_EQ(linnet_session_run(host), LINNET_OK);
    return Output(host);
  }
};

TEST_F(DeviceLoss, TheSameRunEndsOnTheCpu) {
  OpenVariants(kMixed);
  linnet_session* session = Create(LINNET_BACKEND_AUTO);
  float* const input = Input(session);
  const void* const output = linnet_session_output_data(session, 0);
  Fill(session, {1, 2, 3, 4});
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  // The first segment runs, and then, behind the step of the host, the device is gone.
  int begun = 0;
  FakeGpu().set_on_run(
      [](void* raw) {
        if (++*static_cast<int*>(raw) == 2) FakeGpu().Lose();
      },
      &begun);
  Fill(session, {4, 3, 2, 1});
  ASSERT_EQ(linnet_session_run(session), LINNET_OK) << linnet_session_last_error(session)->text;
  EXPECT_EQ(linnet_session_last_error(session)->status, LINNET_OK);
  EXPECT_EQ(Output(session), Expected({4, 3, 2, 1}));
  EXPECT_EQ(Input(session), input) << "callers know the addresses";
  EXPECT_EQ(linnet_session_output_data(session, 0), output);
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_CPU);
  EXPECT_EQ(InfoOf(session).device_lost, 1);
  EXPECT_THAT(WhyNot(session), HasSubstr("lost"));
  EXPECT_THAT(log_, HasSubstr("warning: the GPU is lost, the session goes on with the CPU"));
  // And so do later runs.
  const int runs = FakeGpu().counts().runs;
  Fill(session, {0, 1, 0, 1});
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_EQ(Output(session), Expected({0, 1, 0, 1}));
  EXPECT_EQ(FakeGpu().counts().runs, runs);
  EXPECT_EQ(linnet_session_num_steps(session), 3) << "those of the host's program";
}

// A step of the host, which could write over the input, runs before the device is lost.
TEST_F(DeviceLoss, InputsAreKept) {
  OpenVariants("x = arg f32[4] a = Softmax(x) b = Unary(a) {kind: Exp} out = ret(b)");
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  Fill(session, {1, 2, 3, 4});
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_EQ(Output(session), Expected({1, 2, 3, 4}));
}

TEST_F(DeviceLoss, BoundBuffersAreUsedToo) {
  OpenVariants(
      "x = arg f32[2,3] y = arg f32[2,3] a = Binary(x, y) {kind: Add} b = Softmax(a) "
      "c = Unary(b) {kind: Neg} out = ret(c) two = ret(a)");
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  alignas(64) float rows[8] = {1, 2, 3, -1, 4, 5, 6, -1}, sums[6] = {};
  linnet_buffer buffer{};
  buffer.struct_size = sizeof(buffer);
  buffer.kind = LINNET_BUFFER_POINTER;
  buffer.address = rows;
  buffer.bytes = sizeof(rows);
  buffer.pitch = 4 * sizeof(float);
  ASSERT_EQ(linnet_session_bind_input_buffer(session, 0, &buffer), LINNET_OK);
  ASSERT_EQ(linnet_session_bind_output(session, 1, sums, sizeof(sums)), LINNET_OK);
  float* const own = Input(session, 1);
  Fill(session, {1, 1, 1, 1, 1, 1}, 1);
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(sums, ElementsAre(2, 3, 4, 5, 6, 7));
  EXPECT_EQ(linnet_session_output_data(session, 1), sums);
  EXPECT_EQ(Input(session, 0), rows);
  // Back to the session's own memory, where it was before.
  ASSERT_EQ(linnet_session_bind_input(session, 0, nullptr, 0), LINNET_OK);
  ASSERT_EQ(linnet_session_bind_output(session, 1, nullptr, 0), LINNET_OK);
  Fill(session, {7, 7, 7, 7, 7, 7});
  EXPECT_EQ(Input(session, 1), own);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(Output(session, 1), ElementsAre(8, 8, 8, 8, 8, 8));
  EXPECT_THAT(sums, ElementsAre(2, 3, 4, 5, 6, 7)) << "no longer bound";
}

TEST_F(DeviceLoss, StatesGoOn) {
  Open(RunningSumPlan());
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  Fill(session, {0, 0});
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(Output(session), ElementsAre(2, 2));
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(Output(session), ElementsAre(3, 3)) << "once, although the run began twice";
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(Output(session), ElementsAre(4, 4));
  linnet_session_reset(session);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(Output(session), ElementsAre(1, 1));
}

TEST_F(DeviceLoss, SubmittedRunsEndOnTheCpu) {
  OpenVariants(kMixed);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  Fill(session, {1, 2, 3, 4});
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_submit(session), LINNET_OK);
  for (int i = 0; i < 100; ++i) {  // what may be called meanwhile
    EXPECT_GT(linnet_session_num_steps(session), 0);
    EXPECT_EQ(linnet_session_num_inputs(session), 1);
    (void)InfoOf(session);
  }
  ASSERT_EQ(linnet_session_wait(session, -1), LINNET_OK);
  EXPECT_EQ(InfoOf(session).device_lost, 1);
  EXPECT_EQ(Output(session), Expected({1, 2, 3, 4}));
}

TEST_F(DeviceLoss, ACancelledRunIsCancelledOnce) {
  OpenVariants(kMixed);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  Fill(session, {1, 2, 3, 4});
  FakeGpu().set_on_run(
      [](void* raw) {
        FakeGpu().Lose();
        linnet_session_cancel(static_cast<linnet_session*>(raw));
      },
      session);
  EXPECT_EQ(linnet_session_run(session), LINNET_CANCELLED);
  EXPECT_EQ(InfoOf(session).device_lost, 1);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  linnet_session_cancel(session);
  EXPECT_EQ(linnet_session_run(session), LINNET_CANCELLED);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
}

TEST_F(DeviceLoss, AProfileIsOfTheStepsThatRun) {
  OpenVariants(kMixed);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  linnet_session_enable_profile(session, 1);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  ASSERT_NE(linnet_session_step_ns(session), nullptr);
  for (int32_t i = 0; i < linnet_session_num_steps(session); ++i) {
    linnet_step_info info{};
    info.struct_size = sizeof(info);
    ASSERT_EQ(linnet_session_get_step_info(session, i, &info), 1);
    EXPECT_STRNE(info.backend, "fake");
    EXPECT_GE(linnet_session_step_ns(session)[i], 0);
  }
}

TEST_F(DeviceLoss, TheMemoryOfBothIsCounted) {
  OpenVariants(kMixed);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  const auto memory = [&] {
    linnet_memory counted{};
    counted.struct_size = sizeof(counted);
    EXPECT_EQ(linnet_session_memory(session, &counted), LINNET_OK);
    EXPECT_EQ(counted.block, counted.arena + counted.state + counted.operators + counted.workspace);
    return counted;
  };
  const linnet_memory before = memory();
  FakeGpu().Lose();
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_GT(memory().block, before.block);
  EXPECT_GT(memory().arena, before.arena);
}

// Without memory for the host's program nothing is left to do, but the session stays.
TEST_F(DeviceLoss, WithoutMemory) {
  struct Limited {
    bool closed = false;
    int blocks = 0;
  } limited;
  linnet_allocator allocator{};
  allocator.struct_size = sizeof(allocator);
  allocator.context = &limited;
  allocator.allocate = [](void* context, size_t bytes, size_t) -> void* {
    auto* memory = static_cast<Limited*>(context);
    if (memory->closed) return nullptr;
    ++memory->blocks;
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  };
  allocator.release = [](void* context, void* memory, size_t) {
    --static_cast<Limited*>(context)->blocks;
    std::free(memory);
  };
  linnet_open_options open{};
  open.struct_size = sizeof(open);
  open.allocator = &allocator;
  bytes_.emplace(VariantsPlan(kMixed));
  ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), &open, &plan_, nullptr),
            LINNET_OK);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  Fill(session, {1, 2, 3, 4});
  FakeGpu().Lose();
  limited.closed = true;
  const int blocks = limited.blocks;
  EXPECT_EQ(linnet_session_run(session), LINNET_DEVICE_LOST);
  EXPECT_EQ(limited.blocks, blocks) << "nothing is left behind";
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_VULKAN);
  EXPECT_THAT(log_, HasSubstr("warning: the GPU is lost and the CPU cannot take over"));
  limited.closed = false;
  EXPECT_EQ(linnet_session_run(session), LINNET_OK) << "the next run tries again";
  EXPECT_EQ(Output(session), Expected({1, 2, 3, 4}));
  for (linnet_session* each : sessions_) linnet_session_destroy(each);
  sessions_.clear();
  linnet_plan_close(plan_);
  plan_ = nullptr;
  EXPECT_EQ(limited.blocks, 0);
}

// A plan of one program that names a device has nothing else to run.
TEST_F(DeviceLoss, WithoutAnotherProgram) {
  Open(PlacedPlan(kMixed));
  linnet_session* session = nullptr;
  EXPECT_EQ(linnet_session_create(plan_, nullptr, &session, nullptr), LINNET_UNSUPPORTED);
}

}  // namespace
}  // namespace linnet
