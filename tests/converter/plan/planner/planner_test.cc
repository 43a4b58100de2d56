// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/planner.h"

#include <gtest/gtest.h>

#include "converter/plan/planner/lower_bound.h"
#include "tests/converter/plan/planner/problem_builder.h"

namespace linnet::planner {
namespace {

MemoryPlan Plan(const MemoryProblem& problem, const PlannerOptions& options = {}) {
  EXPECT_EQ(FindProblemError(problem), nullptr);
  MemoryPlan plan = PlanMemory(problem, options);
  EXPECT_EQ(FindPlanError(problem, plan, options), "");
  return plan;
}

constexpr int64_t kUnit = ProblemBuilder::kUnit;

TEST(PlanMemory, NothingAtAll) {
  const MemoryPlan plan = Plan({});
  EXPECT_EQ(plan.arena_bytes, 0);
  EXPECT_EQ(plan.naive_bytes, 0);
}

TEST(PlanMemory, ChainRunsInPlace) {
  ProblemBuilder b;
  int x = b.Input(10);
  const int in = x;
  for (int i = 0; i < 5; ++i) x = b.MakeOver(10, {x}, x);
  b.Output(x);
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_EQ(plan.arena_bytes, 10 * kUnit);
  EXPECT_EQ(plan.naive_bytes, 60 * kUnit);
  EXPECT_TRUE(SamePlace(plan, x, in));
}

TEST(PlanMemory, ChainPingPongsWithoutPermission) {
  ProblemBuilder b;
  int x = b.Input(10);
  for (int i = 0; i < 5; ++i) x = b.Make(10, {x});
  b.Output(x);
  EXPECT_EQ(Plan(b.problem()).arena_bytes, 20 * kUnit);
}

TEST(PlanMemory, ResidualBlockAddsInPlace) {
  ProblemBuilder b;
  const int in = b.Input(1);
  const int skip = b.Make(8, {in}), x = b.Make(8, {skip}), y = b.Make(8, {x});
  const int sum = b.Make(8, {y, skip});
  b.Allow(AliasKind::kOverwrite, sum, y);
  b.Allow(AliasKind::kOverwrite, sum, skip);
  b.Output(sum);
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_EQ(plan.arena_bytes, 24 * kUnit);  // skip, x, y
  EXPECT_EQ(plan.lower_bound, plan.arena_bytes);
  EXPECT_TRUE(SamePlace(plan, sum, y) || SamePlace(plan, sum, skip));
}

TEST(PlanMemory, ConcatPartsAreWrittenInPlace) {
  ProblemBuilder b;
  const int in = b.Input(4);
  const int x = b.Make(5, {in}), y = b.Make(7, {in});
  const int both = b.Concat({x, y});
  b.Output(both);
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_EQ(plan.arena_bytes, 16 * kUnit);  // the input and the result; with copies it would be 24
  EXPECT_TRUE(SamePlace(plan, x, both));
  EXPECT_TRUE(SamePlace(plan, y, both, 5));
}

TEST(PlanMemory, SplitIsViewsOfItsSource) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(12, {in});
  const int lo = b.View(6, x), hi = b.View(6, x, 6);
  const int p = b.MakeOver(6, {lo}, lo), q = b.MakeOver(6, {hi}, hi);
  b.Output(b.Concat({p, q}));
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_EQ(plan.buffers.size(), 2u);
  EXPECT_EQ(plan.arena_bytes, 12 * kUnit + 64);
}

TEST(PlanMemory, OrderOfBranchesMatters) {
  // Each branch has a large value before a small one. In the imported order, breadth first, all
  // large values live at the same time.
  ProblemBuilder b;
  const int in = b.Input(1);
  int swollen[4];
  for (int& s : swollen) s = b.Make(100, {in});
  std::vector<int> small;
  for (int s : swollen) small.push_back(b.Make(1, {s}));
  b.Output(b.Concat(small));
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_GE(plan.imported_lower_bound, 400 * kUnit);
  EXPECT_LE(plan.arena_bytes, 108 * kUnit);
  EXPECT_STRNE(plan.order_method, "imported");
  const PlannerOptions as_given = {.reorder = false};
  EXPECT_GE(Plan(b.problem(), as_given).arena_bytes, 400 * kUnit);
}

TEST(PlanMemory, ImportedOrderStaysWhenItIsAsGood) {
  ProblemBuilder b;
  const int in = b.Input(1);
  const int x = b.Make(4, {in}), y = b.Make(4, {in});
  b.Output(b.Make(4, {x, y}));
  EXPECT_EQ(Plan(b.problem()).order, (std::vector<int>{0, 1, 2}));
}

TEST(PlanMemory, StepsThatMustComeLaterDo) {
  ProblemBuilder b;
  const int in = b.Input(1);
  const int x = b.Make(100, {in}), y = b.Make(100, {in});
  const int x1 = b.Make(1, {x}), y1 = b.Make(1, {y});
  b.Output(b.Make(1, {x1, y1}));
  EXPECT_LT(Plan(b.problem()).arena_bytes, 200 * kUnit);
  b.problem().steps[2].after = {1};
  b.problem().steps[3].after = {0};
  EXPECT_GE(Plan(b.problem()).arena_bytes, 200 * kUnit);
}

TEST(PlanMemory, TwoOutputsAndAnUnusedOneLiveToTheEnd) {
  ProblemBuilder b;
  const int in = b.Input(3);
  const int x = b.Make(5, {in}), y = b.Make(7, {x}), unused = b.Make(11, {x});
  b.Output(x);
  b.Output(y);
  (void)unused;
  EXPECT_EQ(Plan(b.problem()).arena_bytes, 16 * kUnit);  // the unused value is computed before y
}

TEST(PlanMemory, KeptInputIsThereAfterTheRun) {
  ProblemBuilder b;
  const int in = b.Input(10, /*keep=*/true);
  int x = b.Make(10, {in});
  for (int i = 0; i < 3; ++i) x = b.Make(10, {x});
  b.Output(x);
  EXPECT_EQ(Plan(b.problem()).arena_bytes, 30 * kUnit);
  b.value(in).keep = false;
  EXPECT_EQ(Plan(b.problem()).arena_bytes, 20 * kUnit);
}

TEST(PlanMemory, ScratchIsAnUnreadOutput) {
  ProblemBuilder b;
  const int in = b.Input(2), x = b.Make(2, {in});
  b.problem().values.push_back({.bytes = 50 * kUnit});
  b.problem().steps.back().outputs.push_back(x + 1);
  b.Output(b.Make(2, {x}));
  EXPECT_EQ(Plan(b.problem()).arena_bytes, 54 * kUnit);
}

TEST(PlanMemory, ConstantsGetNoMemory) {
  ProblemBuilder b;
  const int in = b.Input(2);
  b.problem().values.push_back({.bytes = 1 << 20});
  b.Output(b.Make(2, {in, in + 1}));
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_EQ(plan.places[in + 1].buffer, -1);
  EXPECT_EQ(plan.arena_bytes, 4 * kUnit);
}

TEST(PlanMemory, EmptyTensorsAndOddSizes) {
  ProblemBuilder b;
  const int in = b.Input(1), nothing = b.Make(0, {in}), x = b.Make(1, {nothing, in});
  b.value(x).bytes = 1;
  b.Output(x);
  const MemoryPlan plan = Plan(b.problem());
  EXPECT_EQ(plan.arena_bytes % 64, 0);
  EXPECT_EQ(plan.arena_bytes, 128);
}

TEST(PlanMemory, LargerAlignment) {
  ProblemBuilder b;
  int x = b.Input(1);
  for (int i = 0; i < 3; ++i) x = b.Make(1, {x});
  b.Output(x);
  EXPECT_EQ(Plan(b.problem(), {.alignment = 256}).arena_bytes, 512);
}

TEST(FindProblemError, Explains) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(1, {in});
  MemoryProblem bad = b.problem();
  bad.steps[0].inputs = {x};
  EXPECT_STREQ(FindProblemError(bad), "a step reads before it is written");
  bad = b.problem();
  bad.steps.push_back(bad.steps[0]);
  EXPECT_STREQ(FindProblemError(bad), "a value is written twice");
  bad = b.problem();
  bad.steps[0].outputs = {in};
  EXPECT_STREQ(FindProblemError(bad), "a step writes an input");
  bad = b.problem();
  bad.steps[0].inputs = {7};
  EXPECT_STREQ(FindProblemError(bad), "a step reads a value that does not exist");
}

// The checker must detect every mistake that a planner could make.
TEST(FindPlanError, NoticesEachMutation) {
  ProblemBuilder b;
  const int in = b.Input(4), x = b.Make(4, {in}), y = b.MakeOver(4, {x}, x);
  const int z = b.Make(4, {in, y});
  b.Output(z);
  const MemoryProblem& problem = b.problem();
  const MemoryPlan good = Plan(problem);
  MemoryPlan bad = good;
  std::swap(bad.order[0], bad.order[1]);
  EXPECT_NE(FindPlanError(problem, bad), "");
  bad = good;
  bad.order[1] = 0;
  EXPECT_NE(FindPlanError(problem, bad), "");
  bad = good;
  bad.arena_bytes -= 64;
  EXPECT_NE(FindPlanError(problem, bad), "");
  bad = good;
  bad.aliases.clear();  // y is then written over x without permission
  EXPECT_NE(FindPlanError(problem, bad), "");
  bad = good;
  bad.places[x] = bad.places[in];  // overwrites a value that is read later
  EXPECT_NE(FindPlanError(problem, bad), "");
  for (BufferPlace& buffer : (bad = good).buffers) buffer.offset = 0;
  EXPECT_NE(FindPlanError(problem, bad), "");
}

}  // namespace
}  // namespace linnet::planner
