// SPDX-License-Identifier: Apache-2.0
// The results of plans with While and If.
#include <chrono>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

using Floats = std::vector<float>;

class ControlFlowTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void TearDown() override {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }
  void Open(const std::vector<std::byte>& plan) {
    bytes_ = std::make_unique<PlacedBytes>(plan);
    linnet_error error{};
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, &error),
              LINNET_OK)
        << error.text;
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    ASSERT_EQ(linnet_session_create(plan_, &options, &session_, &error), LINNET_OK) << error.text;
  }
  template <typename T>
  void Feed(int input, const std::vector<T>& values) {
    std::memcpy(linnet_session_input_data(session_, input), values.data(),
                values.size() * sizeof(T));
  }
  Floats Read(int output, size_t count = 3) const {
    const auto* data = static_cast<const float*>(linnet_session_output_data(session_, output));
    return {data, data + count};
  }
  int32_t ReadInt(int output) const {
    return *static_cast<const int32_t*>(linnet_session_output_data(session_, output));
  }
  linnet_status Run() { return linnet_session_run(session_); }

  std::unique_ptr<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

TEST_P(ControlFlowTest, ALoopRunsUntilItsConditionIsFalse) {
  Open(LoopPlan());
  for (const auto& [limit, trips] : {std::pair{100.0f, 6}, {3.0f, 1}, {1000.0f, 9}}) {
    Feed<float>(0, {1, 0.5, 0.5});
    Feed<float>(1, {limit});
    ASSERT_EQ(Run(), LINNET_OK);
    EXPECT_EQ(ReadInt(0), trips);
    const auto scale = static_cast<float>(1 << trips);
    EXPECT_EQ(Read(1), (Floats{scale, scale / 2, scale / 2}));
  }
}

TEST_P(ControlFlowTest, ALoopMayRunNoTimes) {
  Open(LoopPlan());
  Feed<float>(0, {1, 2, 3});
  Feed<float>(1, {-1});
  ASSERT_EQ(Run(), LINNET_OK);
  EXPECT_EQ(ReadInt(0), 0);
  EXPECT_EQ(Read(1), (Floats{1, 2, 3}));
}

TEST_P(ControlFlowTest, BuffersOfTheCallerWork) {
  Open(LoopPlan());
  alignas(64) float input[32] = {1, 2, 3}, output[32] = {};
  ASSERT_EQ(linnet_session_bind_input(session_, 0, input, sizeof(input)), LINNET_OK);
  ASSERT_EQ(linnet_session_bind_output(session_, 1, output, sizeof(output)), LINNET_OK);
  Feed<float>(1, {7});
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(Run(), LINNET_OK);
    EXPECT_EQ(Floats(output, output + 3), (Floats{2, 4, 6}));
    EXPECT_EQ(Floats(input, input + 3), (Floats{1, 2, 3}));
  }
}

// a, b = b, a + b
constexpr char kSwap[] = R"(
  n = arg i32[]
  a = arg f32[]
  b = arg f32[]
  loop = While(n, a, b) [
    n = arg i32[]
    more = Compare(n, const i32[] 0) {kind: Greater}
    goes_on = ret(more)
  ] [
    n = arg i32[]
    a = arg f32[]
    b = arg f32[]
    less = Binary(n, const i32[] 1) {kind: Sub}
    old_b = Reshape(b) {shape: []}
    sum = Binary(a, b) {kind: Add}
    ret0 = ret(less)
    ret1 = ret(old_b)
    ret2 = ret(sum)
  ]
  out = ret(loop:1))";

TEST_P(ControlFlowTest, VariablesMayTakeEachOthersValues) {
  Open(TextPlan(kSwap));
  Feed<int32_t>(0, {10});
  Feed<float>(1, {0});
  Feed<float>(2, {1});
  ASSERT_EQ(Run(), LINNET_OK);
  EXPECT_EQ(Read(0, 1), (Floats{55}));
}

// for i < n: for j < i: x += y. So x grows by the sum over i of i * y.
constexpr char kNested[] = R"(
  n = arg i32[]
  x = arg f32[3]
  y = arg f32[3]
  outer = While(const i32[] 0, x, n, y) [
    i = arg i32[]
    n = arg 2 i32[]
    less = Compare(i, n) {kind: Less}
    goes_on = ret(less)
  ] [
    i = arg i32[]
    x = arg f32[3]
    y = arg 3 f32[3]
    inner = While(const i32[] 0, x, i, y) [
      j = arg i32[]
      i = arg 2 i32[]
      less = Compare(j, i) {kind: Less}
      goes_on = ret(less)
    ] [
      j = arg i32[]
      x = arg f32[3]
      y = arg 3 f32[3]
      more = Binary(j, const i32[] 1) {kind: Add}
      sum = Binary(x, y) {kind: Add}
      ret0 = ret(more)
      ret1 = ret(sum)
    ]
    more = Binary(i, const i32[] 1) {kind: Add}
    ret0 = ret(more)
    ret1 = ret(inner:1)
  ]
  out = ret(outer:1)
  again = Binary(y, y) {kind: Mul}
  out1 = ret(again))";

TEST_P(ControlFlowTest, LoopsMayBeNested) {
  Open(TextPlan(kNested));
  Feed<int32_t>(0, {5});
  Feed<float>(1, {1, 2, 3});
  Feed<float>(2, {1, 10, 100});
  ASSERT_EQ(Run(), LINNET_OK);
  EXPECT_EQ(Read(0), (Floats{11, 102, 1003}));
  EXPECT_EQ(Read(1), (Floats{1, 100, 10000}));
}

// Branches with and without steps, results that are constants, and a branch that overwrites the
// other's memory.
constexpr char kArms[] = R"(
  p = arg bool[]
  x = arg f32[3]
  before = Unary(x) {kind: Neg}
  choice = If(p, x, before) [
    x = arg f32[3]
    before = arg f32[3]
    sum = Binary(x, const f32[3] {1, 1, 1}) {kind: Add}
    twice = Binary(sum, before) {kind: Mul}
    ret0 = ret(twice)
    ret1 = ret(sum)
  ] [
    x = arg f32[3]
    seven = const f32[3] {7, 8, 9}
    ret0 = ret(seven)
    ret1 = ret(x)
  ]
  out0 = ret(choice)
  out1 = ret(choice:1)
  out2 = ret(before))";

TEST_P(ControlFlowTest, OneBranchRuns) {
  Open(TextPlan(kArms));
  Feed<float>(1, {1, 2, 3});
  Feed<uint8_t>(0, {1});
  ASSERT_EQ(Run(), LINNET_OK);
  EXPECT_EQ(Read(0), (Floats{-2, -6, -12}));
  EXPECT_EQ(Read(1), (Floats{2, 3, 4}));
  Feed<float>(1, {1, 2, 3});
  Feed<uint8_t>(0, {0});
  ASSERT_EQ(Run(), LINNET_OK);
  EXPECT_EQ(Read(0), (Floats{7, 8, 9}));
  EXPECT_EQ(Read(1), (Floats{1, 2, 3}));
  EXPECT_EQ(Read(2), (Floats{-1, -2, -3}));
}

// Neither region has a step.
constexpr char kEndless[] = R"(
  p = arg bool[]
  x = arg f32[]
  loop = While(x, p) [
    p = arg 1 bool[]
    goes_on = ret(p)
  ] [
    x = arg f32[]
    ret0 = ret(x)
  ]
  out = ret(loop))";

TEST_P(ControlFlowTest, AnEndlessLoopCanBeCancelled) {
  Open(TextPlan(kEndless));
  Feed<uint8_t>(0, {1});
  linnet_status status = LINNET_OK;
  std::thread run([&] { status = Run(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  linnet_session_cancel(session_);
  run.join();
  EXPECT_EQ(status, LINNET_CANCELLED);
  Feed<uint8_t>(0, {0});
  EXPECT_EQ(Run(), LINNET_OK);
}

// One step on integers, so that it runs on portable kernels on every backend.
constexpr const char* kLongStep = R"(
  x = arg i32[128,1024]
  y = arg i32[1024,1024]
  product = BatchMatMul(x, y)
  out = ret(product))";

double Seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// This and the times below are processor time, which does not depend on how busy the machine is.
TEST_P(ControlFlowTest, AStepCanBeCancelled) {
  Open(TextPlan(kLongStep));
  linnet_status status = LINNET_OK;
  double seconds = 0;
  const auto run = [&] {
    const double start = Seconds(CLOCK_THREAD_CPUTIME_ID);
    status = Run();
    seconds = Seconds(CLOCK_THREAD_CPUTIME_ID) - start;
  };
  run();
  ASSERT_EQ(status, LINNET_OK);
  const double whole = seconds;
  // The request comes when a tenth of the work is done, so only the step itself can react early. If
  // this thread got no processor until then, the request comes too late; therefore there are
  // several tries.
  for (int i = 0; i < 20 && (status != LINNET_CANCELLED || seconds >= whole / 2); ++i) {
    const double start = Seconds(CLOCK_PROCESS_CPUTIME_ID);
    std::thread thread(run);
    while (Seconds(CLOCK_PROCESS_CPUTIME_ID) - start < whole / 10)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    linnet_session_cancel(session_);
    thread.join();
    if (status == LINNET_OK) Run();  // takes the request that came too late
  }
  EXPECT_EQ(status, LINNET_CANCELLED);
  EXPECT_LT(seconds, whole / 2);
  run();  // the request is used up
  EXPECT_EQ(status, LINNET_OK);
}

TEST_P(ControlFlowTest, AProfileAddsUpAndNamesTheSteps) {
  Open(LoopPlan());
  linnet_session_enable_profile(session_, 1);
  Feed<float>(0, {1, 1, 1});
  Feed<float>(1, {1e20f});
  ASSERT_EQ(Run(), LINNET_OK);
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  std::string ops;
  for (int i = 0; linnet_session_get_step_info(session_, i, &info) != 0; ++i) {
    EXPECT_GT(linnet_session_step_ns(session_)[i], 0) << info.op;
    ops += std::string(info.op) + " ";
    EXPECT_EQ(std::string(info.backend) == "control", i == 0);
  }
  EXPECT_EQ(ops, "While Reduce Compare Binary Binary ");
}

INSTANTIATE_TEST_SUITE_P(Backends, ControlFlowTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE));

}  // namespace
}  // namespace linnet
