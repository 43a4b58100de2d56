// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <random>

#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/planner.h"
#include "tests/converter/plan/planner/problem_builder.h"

namespace linnet::planner {
namespace {

class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : random_(seed) {}

  MemoryProblem Make() {
    for (int64_t i = 0; i <= Pick(3); ++i) values_.push_back(b_.Input(Units(), Pick(4) == 0));
    for (int64_t i = Pick(25) + 1; i > 0; --i) AddStep();
    for (int v : values_) {
      if (Pick(8) == 0) b_.Output(v);
      if (Pick(15) == 0) b_.value(v).exclusive = true;
      if (Pick(10) == 0 && UnitsOf(v) > 0) b_.value(v).bytes -= Pick(64);
    }
    b_.Output(values_.back());
    // The planner must reject permissions that make no sense.
    for (int64_t i = Pick(3); i > 0; --i) b_.Allow(AnyKind(), Any(), Any(), Pick(4));
    return b_.problem();
  }

 private:
  int64_t Pick(int64_t n) { return static_cast<int64_t>(random_() % n); }
  int64_t Units() { return Pick(12) == 0 ? 0 : 1 + Pick(6); }
  int Any() { return values_[values_.size() - 1 - Pick(std::min<int64_t>(values_.size(), 6))]; }
  AliasKind AnyKind() { return static_cast<AliasKind>(Pick(3)); }
  int64_t UnitsOf(int v) { return b_.value(v).bytes / ProblemBuilder::kUnit; }

  void AddStep() {
    const int x = Any(), y = Any();
    switch (Pick(7)) {
      case 0:
        return Add(b_.Make(Units(), {x}));
      case 1:
        return Add(b_.MakeOver(UnitsOf(x), {x}, x));
      case 2: {
        Add(b_.MakeOver(UnitsOf(x), {x, y}, x));
        return b_.Allow(AliasKind::kOverwrite, values_.back(), y);
      }
      case 3:
        return Add(b_.View(UnitsOf(x), x));
      case 4: {
        const int64_t offset = Pick(UnitsOf(x) + 1);
        return Add(b_.View(Pick(UnitsOf(x) - offset + 1), x, offset));
      }
      case 5:
        return Add(b_.Concat({x, y, Any()}));
      default:
        return AddTwoOutputs(x);
    }
  }

  void AddTwoOutputs(int x) {
    Add(b_.MakeOver(UnitsOf(x), {x}, x));
    MemoryProblem& problem = b_.problem();
    problem.values.push_back({.bytes = Units() * ProblemBuilder::kUnit});
    problem.steps.back().outputs.push_back(static_cast<int>(problem.values.size()) - 1);
    if (Pick(2) == 0) Add(static_cast<int>(problem.values.size()) - 1);
  }

  void Add(int v) {
    // Concatenations of large concatenations would dwarf all other values.
    if (UnitsOf(v) < 60) values_.push_back(v);
  }

  std::mt19937 random_;
  ProblemBuilder b_;
  std::vector<int> values_;
};

TEST(PlannerProperty, PlansOfRandomProblemsAreSound) {
  int reordered = 0, at_bound = 0;
  size_t aliases = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const MemoryProblem problem = RandomProblem(seed).Make();
    ASSERT_EQ(FindProblemError(problem), nullptr);
    const MemoryPlan plan = PlanMemory(problem);
    ASSERT_EQ(FindPlanError(problem, plan), "");
    EXPECT_LE(plan.arena_bytes, plan.naive_bytes);
    PlannerOptions as_given = {.reorder = false};
    const MemoryPlan imported = PlanMemory(problem, as_given);
    ASSERT_EQ(FindPlanError(problem, imported, as_given), "");
    EXPECT_LE(plan.arena_bytes, imported.arena_bytes);
    PlannerOptions apart = {.share = false};
    ASSERT_EQ(FindPlanError(problem, PlanMemory(problem, apart), apart), "");
    reordered += plan.order != imported.order;
    at_bound += plan.arena_bytes == plan.lower_bound;
    aliases += plan.aliases.size();
    if (HasFailure()) return;
  }
  // The random problems must be varied enough.
  EXPECT_GT(reordered, 100);
  EXPECT_GT(aliases, 2000u);
  EXPECT_GT(at_bound, 1800);
}

TEST(PlannerProperty, SameProblemSamePlan) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const MemoryProblem problem = RandomProblem(seed).Make();
    const MemoryPlan a = PlanMemory(problem), b = PlanMemory(problem);
    EXPECT_EQ(a.order, b.order);
    EXPECT_EQ(a.aliases, b.aliases);
    for (size_t i = 0; i < a.buffers.size(); ++i)
      EXPECT_EQ(a.buffers[i].offset, b.buffers[i].offset);
  }
}

// Problems like those of networks; sizes are in KiB of 32-bit activations.
MemoryProblem ResNet50() {
  ProblemBuilder b;
  const auto kib = [](int64_t h, int64_t c) { return h * h * c * 4 / 64; };
  int x = b.Make(kib(112, 64), {b.Input(kib(224, 3))});
  x = b.Make(kib(56, 64), {x});
  const int blocks[] = {3, 4, 6, 3};
  for (int stage = 0, size = 56, width = 64; stage < 4; ++stage, size /= 2, width *= 2) {
    for (int i = 0; i < blocks[stage]; ++i) {
      const int64_t in_size = i == 0 && stage > 0 ? size * 2 : size;
      const int skip = i == 0 ? b.Make(kib(size, width * 4), {x}) : x;
      int y = b.Make(kib(in_size, width), {x});
      y = b.Make(kib(size, width), {y});
      y = b.Make(kib(size, width * 4), {y});
      const int sum = b.Make(kib(size, width * 4), {y, skip});
      b.Allow(AliasKind::kOverwrite, sum, y);
      b.Allow(AliasKind::kOverwrite, sum, skip);
      x = b.MakeOver(kib(size, width * 4), {sum}, sum);
    }
  }
  x = b.Make(32 * 4, {x});
  b.Output(b.Make(63, {x}));
  return b.problem();
}

MemoryProblem Inception(int blocks) {
  ProblemBuilder b;
  std::mt19937 random(3);
  int x = b.Make(3000, {b.Input(2400)});
  for (int i = 0; i < blocks; ++i) {
    std::vector<int> ends;
    for (int branch = 0; branch < 4; ++branch) {
      int y = x;
      for (int depth = 0; depth <= branch; ++depth)
        y = b.Make(static_cast<int64_t>(200 + random() % 900), {y});
      ends.push_back(y);
    }
    x = b.Make(1000 + static_cast<int64_t>(random() % 2000), {ends[0], ends[1], ends[2], ends[3]});
  }
  b.Output(x);
  return b.problem();
}

MemoryProblem DenseNet(int layers) {
  ProblemBuilder b;
  int x = b.Input(640);
  for (int i = 0; i < layers; ++i) {
    const int64_t units = b.value(x).bytes / 64;
    const int y = b.Make(units, {x}), z = b.Make(320, {y});
    x = b.Make((i % 12 == 11 ? 640 : units + 320), {x, z});
  }
  b.Output(x);
  return b.problem();
}

// A detection network: a backbone, features of five scales that live long, and heads on each.
MemoryProblem Pyramid(int depth) {
  ProblemBuilder b;
  int x = b.Input(4800);
  std::vector<int> scales;
  for (int stage = 0; stage < 5; ++stage) {
    for (int i = 0; i < depth; ++i) {
      const int y = b.Make(12000 >> stage, {x});
      x = i == 0 ? y : b.MakeOver(12000 >> stage, {y, x}, y);
    }
    scales.push_back(x);
  }
  for (int stage = 4; stage-- > 0;) {
    const int up = b.Make(12000 >> stage, {scales[stage + 1]});
    const int side = b.Make(12000 >> stage, {scales[stage]});
    scales[stage] = b.MakeOver(12000 >> stage, {side, up}, side);
  }
  std::vector<int> boxes;
  for (int stage = 0; stage < 5; ++stage) {
    for (int head = 0; head < 2; ++head) {
      int y = scales[stage];
      for (int i = 0; i < 4; ++i) y = b.Make(12000 >> stage, {y});
      boxes.push_back(b.View((900 >> stage) + 1, b.Make((900 >> stage) + 1, {y})));
    }
  }
  b.Output(b.Concat(boxes));
  return b.problem();
}

struct Network {
  const char* name;
  MemoryProblem problem;
};

TEST(PlannerProperty, NetworksComeWithinTwoPercentOfTheBoundAtOnce) {
  for (const Network& n :
       {Network{"resnet50", ResNet50()}, Network{"inception", Inception(12)},
        Network{"inception, 500 steps", Inception(45)}, Network{"densenet", DenseNet(60)},
        Network{"pyramid", Pyramid(6)}, Network{"pyramid, 500 steps", Pyramid(44)}}) {
    SCOPED_TRACE(n.name);
    const auto start = std::chrono::steady_clock::now();
    const MemoryPlan plan = PlanMemory(n.problem);
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    ASSERT_EQ(FindPlanError(n.problem, plan), "");
    std::printf(
        "%-22s %4zu steps %6.2f ms  arena %9lld  bound %9lld  imported %9lld  naive %10lld"
        "  %s, %s\n",
        n.name, n.problem.steps.size(), ms, static_cast<long long>(plan.arena_bytes),
        static_cast<long long>(plan.lower_bound), static_cast<long long>(plan.imported_lower_bound),
        static_cast<long long>(plan.naive_bytes), plan.order_method, plan.offset_method);
    EXPECT_LE(plan.arena_bytes, plan.lower_bound + plan.lower_bound / 50);
    EXPECT_LE(plan.lower_bound, plan.imported_lower_bound);
  }
}

}  // namespace
}  // namespace linnet::planner
