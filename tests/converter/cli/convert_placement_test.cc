// SPDX-License-Identifier: Apache-2.0
// `linnet convert --place` and what goes with it.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "converter/plan/plan_structure.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

using ConvertPlacementTest = LinnetTest;

TEST_F(ConvertPlacementTest, PlacesSteps) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --explain-placement --report {}", model_, plan_,
                            folder_ / "explained.json")),
            0)
      << err_;
  const auto explained = nlohmann::json::parse(ReadAll(folder_ / "explained.json"));
  ASSERT_FALSE(explained["steps"].empty());
  for (const auto& step : explained["steps"]) {
    const std::string backend = step["backend"], reason = step["reason"];
    const std::string kernel = backend == "none" ? "no work" : backend;
    const std::string text = "; " + kernel + (reason.empty() ? "" : ": " + reason);
    EXPECT_NE(out_.find(text), std::string::npos) << text << "\n" << out_;
  }
  for (const char* part : {": (Conv2D): /device:CPU:0  ", "1 segment, 0 copies"})
    EXPECT_NE(out_.find(part), std::string::npos) << part << "\n" << out_;
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place-node scores=cpu", model_, plan_)), 0) << err_;
}

// `--place vulkan` writes a second program; the first is what `--place cpu` writes.
TEST_F(ConvertPlacementTest, PlacesOnAGpu) {
  const std::string cpu = folder_ / "cpu.linnet";
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --place cpu", model_, cpu)), 0) << err_;
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --place vulkan --explain-placement --report {}",
                            model_, plan_, folder_ / "r.json")),
            0)
      << err_;
  EXPECT_NE(out_.find("The program 'host' runs all steps on the CPU. The program 'vulkan'"),
            std::string::npos)
      << out_;
  EXPECT_NE(out_.find("program     'vulkan', which runs instead"), std::string::npos) << out_;
  const auto report = nlohmann::json::parse(ReadAll(folder_ / "r.json"));
  EXPECT_EQ(report["variant"], "host");
  ASSERT_EQ(report["variants"].size(), 1);
  EXPECT_EQ(report["variants"][0]["variant"], "vulkan");
  EXPECT_EQ(report["placement"]["devices"][0]["device"], "cpu");
  EXPECT_EQ(report["placement"]["devices"][1]["device"], "vulkan");
  for (const auto& step : report["steps"]) EXPECT_EQ(step["device"], "cpu");

  const auto structure_of = [](const std::string& file) {
    const std::string bytes = ReadAll(file);
    return ReadStructure(std::as_bytes(std::span(bytes)));
  };
  PlanStructure alone = structure_of(cpu), both = structure_of(plan_);
  ASSERT_EQ(alone.programs.size(), 1);
  ASSERT_EQ(both.programs.size(), 2);
  EXPECT_EQ(both.programs[1]->variant, "vulkan");
  both.programs.pop_back();
  const auto bytes_alone = PackStructure(alone), bytes_both = PackStructure(both);
  EXPECT_TRUE(std::ranges::equal(std::span(bytes_alone.data(), bytes_alone.size()),
                                 std::span(bytes_both.data(), bytes_both.size())))
      << "the host's program is the same, and weights are stored once";

  ASSERT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
  EXPECT_NE(out_.find("program 'vulkan':\n   0"), std::string::npos) << out_;
  EXPECT_EQ(out_.find("also has a program"), std::string::npos) << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --format dot", plan_)), 0) << err_;
  EXPECT_NE(out_.find("subgraph \"cluster_vulkan\""), std::string::npos) << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --format html", plan_)), 0) << err_;
  EXPECT_NE(out_.find("<h2>Graph of program vulkan</h2>"), std::string::npos);
}

TEST_F(ConvertPlacementTest, KeepsFloatsOfAGpuIn16Bits) {
  const auto bytes_with = [&](const char* precision) {
    EXPECT_EQ(
        Run(fmt::format(
            "convert {} -o {} --input x=64x4x4x1 --place vulkan --gpu-precision {} --report {}",
            model_, plan_, precision, folder_ / "r.json")),
        0)
        << err_;
    const auto report = nlohmann::json::parse(ReadAll(folder_ / "r.json"));
    const auto& space = report["variants"][0]["memory"]["devices"][0];
    EXPECT_EQ(space["layout"], std::string_view(precision) == "f16" ? "rows4_half" : "rows4");
    return space["bytes"].get<int64_t>();
  };
  const int64_t single = bytes_with("f32"), half = bytes_with("f16");
  EXPECT_LT(half, single);
  EXPECT_GE(half, single / 2);
  ASSERT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
  EXPECT_NE(out_.find("layout rows4_half"), std::string::npos) << out_;
}

TEST_F(ConvertPlacementTest, BadPlacement) {
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place tpu", model_, plan_)), 1);
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place-node conv", model_, plan_)), 1);
  EXPECT_NE(LastLine().find("want NAME=DEVICE"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place-node conv=tpu --place-node nowhere=cpu",
                            model_, plan_)),
            2);
  EXPECT_NE(err_.find("there is no device 'tpu'"), std::string::npos) << err_;
  EXPECT_NE(err_.find("'nowhere'"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --device-profile {}", model_, plan_, model_)), 2);
  EXPECT_NE(LastLine().find("not a device profile"), std::string::npos) << err_;
}

}  // namespace
}  // namespace linnet::converter
