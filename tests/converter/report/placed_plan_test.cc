// SPDX-License-Identifier: Apache-2.0
// The report of a plan with steps on two devices.
#include <gmock/gmock.h>

#include "converter/report/describe.h"
#include "converter/report/json.h"
#include "converter/report/text.h"
#include "nlohmann/json.hpp"
#include "tests/runtime/placed_bytes.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(PlacedPlan, IsTold) {
  const PlacedBytes bytes(PlacedPlan(R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} out = ret(c))"));
  ConversionReport report;
  DescribePlan(ReadStructure({bytes.data(), bytes.size()}), &report);

  std::vector<std::string> steps;
  for (const ConversionReport::Step& step : report.steps)
    steps.push_back(step.op + " " + step.device + " " + step.backend);
  EXPECT_THAT(steps, ElementsAre("Copy vulkan copy", "Unary vulkan vulkan", "Copy cpu copy",
                                 StartsWith("Softmax cpu "), "Copy vulkan copy",
                                 "Unary vulkan vulkan", "Copy cpu copy"));
  EXPECT_THAT(StepsText(report), HasSubstr("[to vulkan]"));
  EXPECT_THAT(ReportText(report), HasSubstr("copy: 4 steps between devices"));
  EXPECT_THAT(ReportText(report), HasSubstr("vulkan 256 B / lower bound 256 B"));
  const auto json = nlohmann::json::parse(ReportJson(report));
  EXPECT_EQ(json["steps"][1]["device"], "vulkan");
  EXPECT_EQ(json["memory"]["devices"][0]["device"], "vulkan");
  EXPECT_EQ(json["memory"]["devices"][0]["bytes"], 256);
  // The pictures of the arena show the host's buffers only.
  for (const ConversionReport::Placement& placement : report.memory.placements)
    EXPECT_LE(placement.offset + placement.bytes, report.memory.arena_bytes);
}

}  // namespace
}  // namespace linnet::converter
