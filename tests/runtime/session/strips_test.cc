// SPDX-License-Identifier: Apache-2.0
// Steps that run in strips give the bits of steps that run one after the other.
#include <gtest/gtest.h>

#include <numeric>

#include "runtime/backends/portable/backend.h"
#include "runtime/core/instruction_set.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/run_strips.h"
#include "tests/runtime/session/strip_nets.h"

namespace linnet {
namespace {

// How many steps of a plan run in strips.
int StepsInStrips(const OpenedPlan& plan) {
  int steps = 0;
  for (const schema::Strips& strips : plan.program().strips)
    steps += static_cast<int>(strips.count());
  return steps;
}

// The last output lies where an input of the same strips does.
bool OverwritesInput(const OpenedPlan& plan) {
  const PlanProgram& program = plan.program();
  const PlanTensor& in = program.tensors[program.inputs[0].tensor];
  const PlanTensor& out = program.tensors[program.outputs[0].tensor];
  return in.offset == out.offset;
}

class Strips : public testing::TestWithParam<StripNet> {
 protected:
  void SetUp() override {
    if (const InstructionSetChoice& isa = ChosenInstructionSet(); !isa.status.ok())
      GTEST_SKIP() << isa.name << ": " << isa.status.what();
  }
  static Bytes Plan(uint32_t rows = UINT32_MAX) { return StripsPlan(GetParam().text, rows); }
  static Bytes Whole() { return TextPlan(GetParam().text); }
};

TEST_P(Strips, GiveTheBitsOfWholes) {
  const Floats whole = RunPlan(Whole());
  for (const uint32_t rows : {1u, 2u, 3u, 4u, UINT32_MAX}) {
    // Its tiles have four.
    if (rows < 4 && GetParam().name.starts_with("Winograd")) continue;
    const Bytes bytes = Plan(rows);
    for (const int threads : {1, 2, 3, 5, 8})
      EXPECT_EQ(RunPlan(bytes, threads), whole) << rows << " rows, " << threads << " threads";
  }
}

TEST_P(Strips, ArePlainToo) {
  const Backend& plain = portable::GetPlainBackend();
  const Floats whole = RunPlan(Whole(), 1, plain);
  for (const int threads : {1, 3}) EXPECT_EQ(RunPlan(Plan(), threads, plain), whole);
}

TEST_P(Strips, NeedLessMemory) {
  const Backend* backends[] = {&portable::GetBackend()};
  OpenedPlan strips(Plan()), whole(Whole());
  ASSERT_TRUE(strips.Open(backends).ok()) << strips.diagnostic.text;
  ASSERT_TRUE(whole.Open(backends).ok()) << whole.diagnostic.text;
  EXPECT_GE(StepsInStrips(strips), 2);
  EXPECT_EQ(StepsInStrips(whole), 0);
  EXPECT_LT(strips.session.bytes().arena, whole.session.bytes().arena);
}

TEST_P(Strips, HaveTimesOfTheirSteps) {
  const Backend* backends[] = {&portable::GetBackend()};
  ThreadPool pool;
  ASSERT_TRUE(pool.Open(2).ok());
  OpenedPlan plan(Plan());
  ASSERT_TRUE(plan.Open(backends, pool.threads()).ok()) << plan.diagnostic.text;
  const Floats without = RunOpened(&plan);
  EXPECT_TRUE(plan.session.step_ns().empty());
  plan.session.EnableProfile(true);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(RunOpened(&plan), without);
    const std::span<const int64_t> times = plan.session.step_ns();
    ASSERT_EQ(times.size(), plan.program().steps.size());
    for (const int64_t ns : times) EXPECT_GE(ns, 0);
    EXPECT_GT(std::accumulate(times.begin(), times.end(), int64_t{0}), 0);
  }
  plan.session.EnableProfile(false);
  EXPECT_TRUE(plan.session.step_ns().empty());
  EXPECT_EQ(RunOpened(&plan), without);
}

TEST_P(Strips, RunInMemoryOfTheCaller) {
  const Floats whole = RunPlan(Whole());
  const Backend* backends[] = {&portable::GetBackend()};
  OpenedPlan plan(Plan());
  ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
  const int64_t in_bytes = plan.session.input_type(0).bytes();
  const int64_t out_bytes = plan.session.output_type(0).bytes();
  // Direct, and so that each run copies.
  for (const int64_t shift : {0, 4}) {
    const PlacedBytes in(Bytes(static_cast<size_t>(in_bytes + 128)));
    const PlacedBytes out(Bytes(static_cast<size_t>(out_bytes + 128)));
    std::byte* from = in.data() + shift;
    std::byte* to = out.data() + shift;
    ASSERT_TRUE(plan.session.BindInput(0, {from, in_bytes + 64}).ok());
    ASSERT_TRUE(plan.session.BindOutput(0, {to, out_bytes + 64}).ok());
    EXPECT_EQ(RunOpened(&plan), whole) << "shift " << shift;
    EXPECT_EQ(plan.session.output_data(0), to);
    ASSERT_TRUE(plan.session.BindInput(0, {}).ok());
    EXPECT_EQ(RunOpened(&plan), whole);
    ASSERT_TRUE(plan.session.BindOutput(0, {}).ok());
    EXPECT_EQ(RunOpened(&plan), whole);
  }
}

TEST_P(Strips, RunInABlock) {
  const Backend* backends[] = {&portable::GetBackend()};
  ThreadPool pool;
  ASSERT_TRUE(pool.Open(3).ok());
  const Bytes bytes = Plan();
  OpenedPlan first(bytes);
  ASSERT_TRUE(first.Open(backends, pool.threads()).ok()) << first.diagnostic.text;
  const int64_t size = first.session.bytes().total;
  const PlacedBytes block(Bytes(static_cast<size_t>(size)));
  OpenedPlan plan(bytes, {block.data(), static_cast<size_t>(size)});
  ASSERT_TRUE(plan.Open(backends, pool.threads()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(RunOpened(&plan), RunOpened(&first));
  OpenedPlan small(bytes, {block.data(), static_cast<size_t>(size) - 64});
  EXPECT_EQ(small.Open(backends, pool.threads()).code(), StatusCode::kNoMemory);
}

// Asks its session to stop when the first job begins, which is inside of strips.
struct StoppingPool {
  Interpreter* session = nullptr;
  bool stops = true;
  static void Run(void* pool, void (*task)(void*, int64_t), void* context, int64_t tasks) {
    auto& self = *static_cast<StoppingPool*>(pool);
    if (self.stops) self.session->Cancel();
    for (int64_t i = 0; i < tasks; ++i) task(context, i);
  }
};

TEST_P(Strips, CanBeCancelled) {
  if (!GetParam().name.ends_with("47")) GTEST_SKIP() << "one thread runs all strips of a picture";
  const Backend* backends[] = {&portable::GetBackend()};
  for (const int threads : {2, 4}) {
    StoppingPool pool;
    Threads shared;
    shared.parallel = {.threads = threads, .pool = &pool, .run = StoppingPool::Run};
    OpenedPlan plan(Plan());
    pool.session = &plan.session;
    ASSERT_TRUE(plan.Open(backends, shared).ok()) << plan.diagnostic.text;
    FillInput(&plan);
    EXPECT_EQ(plan.session.Run().code(), StatusCode::kCancelled);
    pool.stops = false;
    EXPECT_EQ(RunOpened(&plan), RunPlan(Whole()));
    plan.session.Cancel();
    EXPECT_EQ(plan.session.Run().code(), StatusCode::kCancelled);
    EXPECT_EQ(RunOpened(&plan), RunPlan(Whole()));
  }
}

INSTANTIATE_TEST_SUITE_P(Nets, Strips, testing::ValuesIn(AllStripNets()),
                         [](const auto& info) { return info.param.name; });

TEST(StripsInPlace, AddsOverwriteTheirResidual) {
  const Backend* backends[] = {&portable::GetBackend()};
  for (const char* body : {kInvertedResidual, kTwoConvolutionsAndAdd}) {
    const std::string text = StripNetText(body, 2, 47);
    OpenedPlan plan(StripsPlan(text));
    ASSERT_TRUE(plan.Open(backends).ok()) << plan.diagnostic.text;
    EXPECT_EQ(StepsInStrips(plan), static_cast<int>(plan.program().steps.size())) << text;
    EXPECT_TRUE(OverwritesInput(plan)) << text;
    EXPECT_EQ(RunOpened(&plan), RunPlan(TextPlan(text)));
  }
}

}  // namespace
}  // namespace linnet
