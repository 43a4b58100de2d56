// SPDX-License-Identifier: Apache-2.0
// What in a plan is too new for a release, by releases that never were.
#include "converter/plan/for_release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>

#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PlanStructure Golden(const char* name) { return ReadStructure(GoldenPlan(name)); }

constexpr Release kNoLoops{"0.0", 1, schema::OpKind::MAX, schema::Encoding::MAX};
constexpr Release kFewOps{"0.0", kSchemaMinor, schema::OpKind::Softmax, schema::Encoding::Plain};

TEST(ForRelease, ThisReleaseOpensEverything) {
  for (const char* name : {"small", "sum", "varying", "pictures", "loop", "large", "strips"}) {
    const PlanStructure plan = Golden(name);
    EXPECT_THAT(TooNewFor(plan, kThisRelease), IsEmpty()) << name;
    EXPECT_EQ(plan.needs_runtime, "0.1") << name;
  }
}

TEST(ForRelease, LoopsAreNamed) {
  EXPECT_THAT(TooNewFor(Golden("loop"), kNoLoops),
              ElementsAre("release 0.0 does not know the feature 'regions' of plans, which is "
                          "needed by loop"));
  EXPECT_THAT(TooNewFor(Golden("small"), kNoLoops), IsEmpty());
}

TEST(ForRelease, MarginsThatAreComputedAreNamed) {
  EXPECT_THAT(TooNewFor(Golden("pictures"), {"0.0", 7, schema::OpKind::MAX, schema::Encoding::MAX}),
              ElementsAre("release 0.0 does not know the feature 'margins' of plans, which is "
                          "needed by features, most, each"));
}

TEST(ForRelease, StepsInStripsAreNamed) {
  EXPECT_THAT(TooNewFor(Golden("strips"), {"0.0", 9, schema::OpKind::MAX, schema::Encoding::MAX}),
              ElementsAre("release 0.0 does not know the feature 'strips' of plans, which is "
                          "needed by wide, windows, narrow, y"));
}

TEST(ForRelease, OpsAndEncodingsAreNamedOnceWithAllTheirNodes) {
  EXPECT_THAT(
      TooNewFor(Golden("small"), kFewOps),
      ElementsAre("release 0.0 does not know weights encoded as float16, which is needed by conv",
                  "release 0.0 does not know the op Reshape, which is needed by flatten, table",
                  "release 0.0 does not know the op Gather, which is needed by picked"));
}

// A program for a device, and a feature that not even this version knows.
TEST(ForRelease, StepsOnDevicesAreNamed) {
  PlanStructure plan = Golden("small");
  schema::ProgramT& program = *plan.programs[0];
  program.required_features = {"segments", "layouts", "half", "teleport"};
  program.spaces.push_back(std::make_unique<schema::SpaceT>());
  program.spaces[1]->device = "vulkan";
  program.spaces[1]->layout = schema::Layout::Rows4;
  for (const auto& [backend, first, count] : {std::tuple(0, 0, 1), std::tuple(1, 1, 2)}) {
    auto& segment = *program.segments.emplace_back(std::make_unique<schema::SegmentT>());
    segment.backend = static_cast<uint8_t>(backend);
    segment.first = static_cast<uint32_t>(first);
    segment.count = static_cast<uint32_t>(count);
  }
  EXPECT_THAT(TooNewFor(plan, {"0.0", 3, schema::OpKind::MAX, schema::Encoding::MAX}),
              ElementsAre("release 0.0 does not know the feature 'layouts' of plans, which is "
                          "needed by pool, flatten",
                          "release 0.0 does not know the feature 'half' of plans",
                          "release 0.0 does not know the feature 'teleport' of plans"));
}

TEST(ForRelease, TheLastReleaseIsThatOfTheLibrary) {
  EXPECT_EQ(kThisRelease.name,
            std::to_string(LINNET_VERSION_MAJOR) + "." + std::to_string(LINNET_VERSION_MINOR));
  EXPECT_EQ(FindRelease("0.1"), &kReleases[0]);
  EXPECT_EQ(FindRelease("0.1.12"), &kReleases[0]);
  for (const char* name : {"", "0", "0.1.", "0.1.2.3", "0.11", "x0.1", "0.1.x"})
    EXPECT_EQ(FindRelease(name), nullptr) << name;
}

}  // namespace
}  // namespace linnet::converter
