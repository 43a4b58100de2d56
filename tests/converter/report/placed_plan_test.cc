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
  EXPECT_THAT(ReportText(report), HasSubstr("vulkan 1.2 KiB / lower bound 1.2 KiB"));
  EXPECT_THAT(StepsText(report), HasSubstr("scratch 1000 B"));
  const auto json = nlohmann::json::parse(ReportJson(report));
  EXPECT_EQ(json["steps"][1]["device"], "vulkan");
  EXPECT_EQ(json["memory"]["devices"][0]["device"], "vulkan");
  EXPECT_EQ(json["memory"]["devices"][0]["layout"], "dense");
  EXPECT_EQ(json["memory"]["devices"][0]["bytes"], 256 + 1024);
  EXPECT_EQ(json["steps"][0]["scratch_bytes"], 0);
  EXPECT_EQ(json["steps"][1]["scratch_bytes"], 1000);
  // The pictures of the arena show the host's buffers only.
  for (const ConversionReport::Placement& placement : report.memory.placements)
    EXPECT_LE(placement.offset + placement.bytes, report.memory.arena_bytes);
}

// A step's bytes are those in the memory of its device, padding included.
TEST(PlacedPlan, PaddedRowsCount) {
  for (const auto& [layout, bytes] :
       {std::pair(Layout::kDense, 1200), {Layout::kRows4, 1600}, {Layout::kRows4Half, 800}}) {
    const PlacedBytes file(
        PlacedPlan(layout, "x = arg f32[100,3] a = Unary(x) {kind: Exp} out = ret(a)"));
    ConversionReport report;
    DescribePlan(ReadStructure({file.data(), file.size()}), &report);
    ASSERT_EQ(report.steps.size(), 3u);
    EXPECT_EQ(report.steps[0].bytes, 1200 + bytes) << "from the host's memory to the device's";
    EXPECT_EQ(report.steps[1].bytes, 2 * bytes);
    ASSERT_EQ(report.memory.devices.size(), 1u);
    const char* const name = NameOf(layout);
    EXPECT_EQ(report.memory.devices[0].layout, name);
    EXPECT_THAT(ReportText(report), HasSubstr(std::string(", layout ") + name));
    EXPECT_GE(report.memory.devices[0].bytes, bytes);
    EXPECT_LT(report.memory.devices[0].bytes, bytes + 256 + 1024) << "with scratch memory";
    const auto json = nlohmann::json::parse(ReportJson(report));
    EXPECT_EQ(json["memory"]["devices"][0]["layout"], name);
  }
}

}  // namespace
}  // namespace linnet::converter
