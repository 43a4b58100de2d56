// SPDX-License-Identifier: Apache-2.0
// The committed plans that tests of the runtime read must be those that the converter writes.
#include "tests/plans/golden_plans.h"
#include "gtest/gtest.h"
#include "tests/runtime/golden_plan.h"

namespace linnet {
namespace {

TEST(GoldenPlans, AreWhatTheConverterWrites) {
  for (const GoldenPlanSource& source : GoldenPlanSources())
    EXPECT_EQ(GoldenPlan(source.name), source.build())
        << source.name << ": where the change is meant, run write_golden_plans tests/golden/plans";
}

}  // namespace
}  // namespace linnet
