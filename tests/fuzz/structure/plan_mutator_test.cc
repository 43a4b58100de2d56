// SPDX-License-Identifier: Apache-2.0
// A mutator that changes nothing, or makes only plans that do not open, tests nothing, and fuzzing
// would not show it.
#include "tests/fuzz/structure/plan_mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "linnet/linnet.h"
#include "runtime/plan/file_header.h"
#include "tests/fuzz/structure/mutations.h"

namespace linnet::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMaxSize = 65536;

// The plans of every op, sorted by name.
const std::vector<Bytes>& Seeds() {
  static const std::vector<Bytes> seeds = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(LINNET_PLAN_SEEDS_DIR))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> files;
    for (const auto& path : paths) {
      std::ifstream file(path, std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return files;
  }();
  return seeds;
}

bool Opens(const Bytes& file) {
  linnet_plan* plan = nullptr;
  if (linnet_plan_open_memory(file.data(), file.size(), nullptr, &plan, nullptr) != LINNET_OK)
    return false;
  linnet_plan_close(plan);
  return true;
}

size_t CountSteps(const Bytes& bytes) {
  const std::optional<PlanFile> file = ReadPlanFile(bytes);
  size_t steps = 0;
  if (file)
    for (const auto& program : file->plan.programs)
      for (const auto& region : program->regions) steps += region->steps.size();
  return steps;
}

TEST(PlanFileTest, WhatWasReadIsWrittenSoThatItOpens) {
  ASSERT_FALSE(Seeds().empty());
  for (const Bytes& seed : Seeds()) {
    std::optional<PlanFile> file = ReadPlanFile(seed);
    ASSERT_TRUE(file);
    EXPECT_TRUE(Opens(WritePlanFile(*file)));
  }
}

TEST(PlanMutatorTest, MostMutantsDifferAndOpen) {
  size_t mutants = 0, differ = 0, open = 0;
  for (size_t i = 0; i < Seeds().size(); ++i) {
    const Bytes mutant = MutatePlan(Seeds()[i], kMaxSize, i);
    EXPECT_LE(mutant.size(), kMaxSize);
    ++mutants;
    differ += !mutant.empty() && mutant != Seeds()[i];
    open += Opens(mutant);
  }
  EXPECT_GE(differ, mutants * 95 / 100);
  EXPECT_GE(open, mutants * 80 / 100);
  EXPECT_LT(open, mutants) << "what does not open must be tried too";
}

TEST(PlanMutatorTest, TheSameSeedGivesTheSameMutant) {
  for (size_t i = 0; i < Seeds().size(); i += 16)
    EXPECT_EQ(MutatePlan(Seeds()[i], kMaxSize, 7), MutatePlan(Seeds()[i], kMaxSize, 7));
}

TEST(PlanMutatorTest, WhatIsNoPlanHasNoMutants) {
  const Bytes noise(300, 0x5A);
  EXPECT_TRUE(MutatePlan(noise, kMaxSize, 1).empty());
  EXPECT_TRUE(MutatePlan({}, kMaxSize, 1).empty());
  EXPECT_TRUE(CrossPlans(Seeds()[0], noise, kMaxSize, 1).empty());
}

TEST(PlanMutatorTest, CrossedPlansHaveTheStepsOfBoth) {
  size_t crossed = 0, longer = 0, open = 0;
  for (size_t i = 1; i < Seeds().size(); ++i) {
    const Bytes both = CrossPlans(Seeds()[i - 1], Seeds()[i], kMaxSize, i);
    ++crossed;
    longer += CountSteps(both) > std::max(CountSteps(Seeds()[i - 1]), CountSteps(Seeds()[i]));
    open += Opens(both);
  }
  EXPECT_GE(longer, crossed * 80 / 100);
  EXPECT_GE(open, crossed * 80 / 100);
}

// Some plans get a program for another device beside the host's, and sessions open nevertheless.
TEST(PlanMutatorTest, SignaturesGetSeveralPrograms) {
  size_t variants = 0, open = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Bytes mutant = MutatePlan(Seeds()[seed % Seeds().size()], kMaxSize, seed);
    const std::optional<PlanFile> file = ReadPlanFile(mutant);
    if (!file || file->plan.programs.size() < 2) continue;
    if (file->plan.programs.back()->variant != kVulkanVariant) continue;
    ++variants;
    open += Opens(mutant);
  }
  EXPECT_GE(variants, 5);
  EXPECT_GE(open, variants / 2);
}

// One mutant in a hundred has strips, and six in ten of those open: so few that only many mutants
// say whether that is so still, whichever mutations each new op brings.
TEST(PlanMutatorTest, StepsRunTogether) {
  size_t strips = 0, open = 0;
  for (uint64_t seed = 0; seed < 8000; ++seed) {
    const Bytes mutant = MutatePlan(Seeds()[seed % Seeds().size()], kMaxSize, seed);
    const std::optional<PlanFile> file = ReadPlanFile(mutant);
    if (!file || file->plan.programs[0]->strips.empty()) continue;
    ++strips;
    open += Opens(mutant);
  }
  EXPECT_GE(strips, 40);
  EXPECT_GE(open, strips * 40 / 100);
}

// Mutants of mutants: plans with several steps, states, loops and extents that vary.
std::vector<Bytes> Grown() {
  std::vector<Bytes> plans;
  for (size_t i = 0; i < Seeds().size(); i += 8) {
    plans.push_back(Seeds()[i]);
    for (size_t generation = 0; generation < 24; ++generation)
      if (Bytes mutant = MutatePlan(plans.back(), kMaxSize, generation); Opens(mutant))
        plans.back() = std::move(mutant);
  }
  return plans;
}

// Mutations are identified by their positions in the list.
void EachChangesSomePlan(std::span<const Mutation> mutations) {
  const std::vector<Bytes> plans = Grown();
  for (size_t i = 0; i < mutations.size(); ++i) {
    bool changed = false;
    for (size_t seed = 0; seed < 16 * plans.size() && !changed; ++seed) {
      std::optional<PlanFile> file = ReadPlanFile(plans[seed % plans.size()]);
      ASSERT_TRUE(file);
      const Bytes before = WritePlanFile(*file);
      Random random(seed);
      PlanEditor editor(*file, *file->plan.programs[0], random);
      mutations[i](editor);
      changed = WritePlanFile(*file) != before;
    }
    EXPECT_TRUE(changed) << "mutation " << i;
  }
}

TEST(MutationsTest, EachChangesSomePlan) {
  {
    SCOPED_TRACE("steps");
    EachChangesSomePlan(StepMutations());
  }
  {
    SCOPED_TRACE("tensors");
    EachChangesSomePlan(TensorMutations());
  }
  {
    SCOPED_TRACE("control flow");
    EachChangesSomePlan(ControlMutations());
  }
  SCOPED_TRACE("strips");
  EachChangesSomePlan(StripsMutations());
}

}  // namespace
}  // namespace linnet::fuzz
