// SPDX-License-Identifier: Apache-2.0
// Each kind of alias, in the situation where it is used and in every situation where it must not
// be.
#include "converter/plan/planner/alias.h"

#include <gtest/gtest.h>

#include <numeric>

#include "converter/plan/planner/planner.h"
#include "tests/converter/plan/planner/problem_builder.h"

namespace linnet::planner {
namespace {

int NumTaken(const MemoryProblem& problem, const PlannerOptions& options = {}) {
  EXPECT_EQ(FindProblemError(problem), nullptr);
  std::vector<int> order(problem.steps.size());
  std::iota(order.begin(), order.end(), 0);
  PlannerOptions as_given = options;
  as_given.reorder = false;
  EXPECT_EQ(FindPlanError(problem, PlanMemory(problem, as_given), as_given), "");
  return static_cast<int>(ShareBuffers(problem, order, options, SharePolicy::kPeak).taken.size());
}

// x = make(in); y = relu(x) over x; out(y)
struct Overwrite {
  ProblemBuilder b;
  int in = b.Input(1), x = b.Make(4, {in}), y = b.MakeOver(4, {x}, x);
  Overwrite() { b.Output(y); }
};

TEST(Overwrite, TakenWhenTheInputDies) { EXPECT_EQ(NumTaken(Overwrite().b.problem()), 1); }

TEST(Overwrite, NotWhenTheInputIsReadLater) {
  Overwrite c;
  c.b.Output(c.b.Make(1, {c.x, c.y}));
  EXPECT_EQ(NumTaken(c.b.problem()), 0);
}

TEST(Overwrite, NotWhenTheInputIsAnOutput) {
  Overwrite c;
  c.b.Output(c.x);
  EXPECT_EQ(NumTaken(c.b.problem()), 0);
}

TEST(Overwrite, NotWhenSizesDiffer) {
  Overwrite c;
  c.b.value(c.y).bytes -= 4;
  EXPECT_EQ(NumTaken(c.b.problem()), 0);
}

TEST(Overwrite, NotWhenTheStepReadsTheInputTwice) {
  Overwrite c;
  c.b.problem().steps[1].inputs.push_back(c.x);
  EXPECT_EQ(NumTaken(c.b.problem()), 0);
}

TEST(Overwrite, NotWhenTheStepReadsAViewOfTheInput) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), part = b.View(2, x, 1);
  b.Output(b.MakeOver(4, {x, part}, x));
  EXPECT_LE(NumTaken(b.problem()), 1);  // using one alias excludes the other
}

TEST(Overwrite, NotWhenAViewOfTheInputIsReadLater) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), flat = b.View(4, x);
  const int y = b.MakeOver(4, {x}, x);
  b.Output(b.Make(1, {flat, y}));
  const auto& problem = b.problem();
  std::vector<int> order = {0, 1, 2, 3};
  EXPECT_EQ(ShareBuffers(problem, order, {}, SharePolicy::kPeak).taken, (std::vector<int>{0}));
}

TEST(Overwrite, OfAnInputUnlessItIsKeptOrExclusive) {
  ProblemBuilder b;
  const int in = b.Input(4);
  b.Output(b.MakeOver(4, {in}, in));
  EXPECT_EQ(NumTaken(b.problem()), 1);
  b.value(in).keep = true;
  EXPECT_EQ(NumTaken(b.problem()), 0);
  b.value(in).keep = false;
  b.value(in).exclusive = true;
  EXPECT_EQ(NumTaken(b.problem()), 0);
}

TEST(Overwrite, OneOutputOnly) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), y = b.MakeOver(4, {x}, x);
  b.problem().values.push_back({.bytes = 4 * 64, .is_output = true});
  const int z = y + 1;
  b.problem().steps.back().outputs.push_back(z);
  b.Allow(AliasKind::kOverwrite, z, x);
  b.Output(y);
  EXPECT_EQ(NumTaken(b.problem()), 1);
}

TEST(Overwrite, NotWithoutPermissionOfThatStep) {
  Overwrite c;
  c.b.problem().aliases[0].step = 0;
  EXPECT_EQ(NumTaken(c.b.problem()), 0);
}

TEST(View, OfAValueThatLivesOn) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), flat = b.View(4, x);
  b.Output(b.Make(1, {x, flat}));
  EXPECT_EQ(NumTaken(b.problem()), 1);
}

TEST(View, NotBeyondTheSource) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in});
  b.Output(b.View(2, x, 3));
  EXPECT_EQ(NumTaken(b.problem()), 0);
}

TEST(View, NotAtAnUnalignedOffset) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in});
  b.Output(b.View(2, x, 1));
  b.problem().aliases[0].offset += 2;
  EXPECT_EQ(NumTaken(b.problem()), 0);
  EXPECT_EQ(NumTaken(b.problem(), {.view_alignment = 2}), 1);
}

TEST(View, OutputsShareNoBytesUnlessIdentical) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), flat = b.View(4, x), part = b.View(2, x, 1);
  b.Output(x);
  b.Output(flat);
  EXPECT_EQ(NumTaken(b.problem()), 2);
  b.Output(part);
  EXPECT_EQ(NumTaken(b.problem()), 1);
}

TEST(View, NotOfOrIntoExclusiveValues) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), flat = b.View(4, x);
  b.Output(flat);
  b.value(flat).exclusive = true;
  EXPECT_EQ(NumTaken(b.problem()), 0);
}

TEST(View, NotWhenItKeepsALargeSourceAlive) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(100, {in}), small = b.View(1, x);
  const int y = b.Make(100, {small}), z = b.Make(100, {y});
  b.Output(b.Make(1, {small, z}));
  EXPECT_EQ(NumTaken(b.problem()), 0);
}

// a, b = make(in); c = concat(a, b)
struct Parts {
  ProblemBuilder b;
  int in = b.Input(1), x = b.Make(4, {in}), y = b.Make(4, {in}), both = b.Concat({x, y});
  Parts() { b.Output(both); }
};

TEST(Part, TakenWhenFreshlyMade) { EXPECT_EQ(NumTaken(Parts().b.problem()), 2); }

TEST(Part, AlsoWhenReadLater) {
  Parts c;
  c.b.Output(c.b.Make(1, {c.x, c.both}));
  EXPECT_EQ(NumTaken(c.b.problem()), 2);
}

TEST(Part, NotOfAGraphInput) {
  ProblemBuilder b;
  const int in = b.Input(4), x = b.Make(4, {in});
  b.Output(b.Concat({in, x}));
  EXPECT_EQ(NumTaken(b.problem()), 1);
}

TEST(Part, NotOfAConstant) {
  ProblemBuilder b;
  const int in = b.Input(4), x = b.Make(4, {in});
  b.problem().values.push_back({.bytes = 4 * 64});  // no step writes it
  b.Output(b.Concat({x + 1, x}));
  EXPECT_EQ(NumTaken(b.problem()), 1);
}

TEST(Part, OncePerConcat) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in});
  b.Output(b.Concat({x, x}));
  EXPECT_EQ(NumTaken(b.problem()), 1);
}

TEST(Part, NotInTwoConcatsAtOnce) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), y = b.Make(4, {in}), z = b.Make(4, {in});
  b.Output(b.Concat({x, y}));
  b.Output(b.Concat({x, z}));
  EXPECT_EQ(NumTaken(b.problem()), 3);  // x can be placed in only one of them
}

TEST(Part, NotOfAnOutputIntoAnotherOutput) {
  Parts c;
  c.b.Output(c.x);
  EXPECT_EQ(NumTaken(c.b.problem()), 1);
}

TEST(Part, NotAtAnUnalignedOffset) {
  Parts c;
  c.b.value(c.x).bytes -= 62;
  c.b.problem().aliases[1].offset -= 62;
  EXPECT_EQ(NumTaken(c.b.problem()), 1);
}

TEST(Part, NotOfAPieceOfALargerValue) {
  // x is the middle of a value whose other bytes are read after y has been written next to x.
  ProblemBuilder b;
  const int in = b.Input(1), large = b.Make(12, {in}), x = b.View(4, large, 4);
  const int y = b.Make(4, {in}), both = b.Concat({x, y});
  b.Output(b.Make(1, {large, both}));
  const auto& problem = b.problem();
  std::vector<int> order = {0, 1, 2, 3, 4};
  const Sharing sharing = ShareBuffers(problem, order, {}, SharePolicy::kPeak);
  const auto has = [&](int i) {
    return std::find(sharing.taken.begin(), sharing.taken.end(), i) != sharing.taken.end();
  };
  EXPECT_FALSE(has(0) && has(1));
  NumTaken(problem);
}

TEST(Part, OverwrittenConcatMustBeDead) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(4, {in}), y = b.Make(4, {in}), both = b.Concat({x, y});
  const int after = b.MakeOver(8, {both}, both);
  b.Output(b.Make(1, {x, after}));  // x would be overwritten as a part of the concatenation
  std::vector<int> order = {0, 1, 2, 3, 4};
  const Sharing sharing = ShareBuffers(b.problem(), order, {}, SharePolicy::kPeak);
  const bool overwrites =
      std::find(sharing.taken.begin(), sharing.taken.end(), 2) != sharing.taken.end();
  const bool x_inside =
      std::find(sharing.taken.begin(), sharing.taken.end(), 0) != sharing.taken.end();
  EXPECT_FALSE(overwrites && x_inside);
  NumTaken(b.problem());
}

TEST(Part, NestedConcatsBecomeOneBuffer) {
  ProblemBuilder b;
  const int in = b.Input(1), x = b.Make(2, {in}), y = b.Make(2, {in}), xy = b.Concat({x, y});
  const int z = b.Make(4, {in});
  b.Output(b.Concat({xy, z}));
  EXPECT_EQ(NumTaken(b.problem()), 4);
  const MemoryPlan plan = PlanMemory(b.problem());
  EXPECT_EQ(plan.buffers.size(), 2u);  // the input, and all other values
}

TEST(Options, SharingCanBeSwitchedOff) {
  Parts c;
  const PlannerOptions off = {.share = false};
  const MemoryPlan plan = PlanMemory(c.b.problem(), off);
  EXPECT_TRUE(plan.aliases.empty());
  EXPECT_EQ(FindPlanError(c.b.problem(), plan, off), "");
}

}  // namespace
}  // namespace linnet::planner
