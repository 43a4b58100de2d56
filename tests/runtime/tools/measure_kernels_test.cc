// SPDX-License-Identifier: Apache-2.0
// linnet-run measures the kernels of a plan, and runs it by what it wrote.
#include <map>
#include <vector>

#include "linnet/linnet.h"
#include "nlohmann/json.hpp"
#include "runtime/tools/npy.h"
#include "tests/plans/graph_plan.h"
#include "tests/program_fixture.h"
#include "tests/runtime/golden_plan.h"

namespace linnet {
namespace {

using nlohmann::json;

class MeasureKernels : public ProgramFixture {
 protected:
  MeasureKernels() : ProgramFixture(LINNET_RUN_PROGRAM) {
    plan_ = Written("large.linnet", GoldenPlan("large"));
  }
  void SetUp() override {
    if (std::string(linnet_cpu_kernels()) == "none") GTEST_SKIP() << "no step has a choice";
  }

  std::string Written(const std::string& name, const std::vector<std::byte>& plan) {
    return WriteAll(folder_ / name, {reinterpret_cast<const char*>(plan.data()), plan.size()});
  }
  // The text of a profile of plan_.
  std::string Measured(const std::string& arguments = "") {
    EXPECT_EQ(Run(plan_ + " --runs 3 --measure-kernels " + profile_ + " " + arguments), 0) << err_;
    return ReadAll(profile_);
  }
  json StepsBy(const std::string& profile, const std::string& arguments = "") {
    EXPECT_EQ(Run(plan_ + " --json --profile --kernels " + profile + " " + arguments), 0) << err_;
    return json::parse(out_, nullptr, /*allow_exceptions=*/false)["steps"];
  }
  std::vector<float> Outputs(const std::string& folder) const {
    tools::NpyArray array;
    EXPECT_EQ(tools::ReadNpy(folder + "/out0.npy", &array), "");
    const auto* data = reinterpret_cast<const float*>(array.data.data());
    return {data, data + array.data.size() / sizeof(float)};
  }

  std::string plan_;
  const std::string profile_ = folder_ / "machine.kernels";
};

// How often each backend is first in a line of the profile.
std::map<std::string, int> WinnersIn(const std::string& profile) {
  std::map<std::string, int> winners;
  for (const char* backend : {"xnnpack", "portable"})
    for (size_t at = 0;
         (at = profile.find('\n' + std::string(backend) + '\t', at)) != std::string::npos; ++at)
      ++winners[backend];
  return winners;
}

// The profile with that backend in all lines.
std::string WithWinner(std::string profile, const std::string& winner) {
  for (const std::string backend : {"xnnpack", "portable"})
    for (size_t at = 0; (at = profile.find('\n' + backend + '\t', at)) != std::string::npos; ++at)
      profile.replace(at + 1, backend.size(), winner);
  return profile;
}

TEST_F(MeasureKernels, StepsRunAsTheProfileSays) {
  const std::string text = Measured();
  EXPECT_NE(out_.find("kernel profile: " + profile_ + ": of "), std::string::npos) << out_;
  EXPECT_NE(out_.find(" ms by the built-in choice, "), std::string::npos) << out_;
  EXPECT_FALSE(WinnersIn(text).empty()) << text;
  for (const std::string backend : {"xnnpack", "portable"}) {
    const std::string file = WriteAll(folder_ / backend, WithWinner(text, backend));
    int chosen = 0;
    for (const json& step : StepsBy(file, "--output-dir " + (folder_ / "by_" + backend))) {
      if (step["chosen_by"] != "profile") continue;
      EXPECT_EQ(step["backend"], backend) << step;
      ++chosen;
    }
    EXPECT_GE(chosen, WinnersIn(text)["xnnpack"] + WinnersIn(text)["portable"]);
  }
  ASSERT_EQ(Run(plan_ + " --output-dir " + (folder_ / "by_rules")), 0) << err_;
  const std::vector<float> expected = Outputs(folder_ / "by_rules");
  for (const std::string backend : {"xnnpack", "portable"}) {
    const std::vector<float> output = Outputs(folder_ / ("by_" + backend));
    ASSERT_EQ(output.size(), expected.size());
    for (size_t i = 0; i < output.size(); ++i)
      EXPECT_NEAR(output[i], expected[i], 1e-4f * (1.0f + std::abs(expected[i])));
  }
}

// The same kinds of steps, whatever else the plan computes.
TEST_F(MeasureKernels, AnotherPlanMayUseIt) {
  plan_ = Written("one.linnet", TextPlan(R"(
      x = arg f32[1,8,8,16]
      y = Binary(x, x) {kind: Add}
      out = ret(y))"));
  Measured();
  plan_ = Written("two.linnet", TextPlan(R"(
      x = arg f32[1,8,8,16]
      a = Unary(x) {kind: Abs}
      y = Binary(a, a) {kind: Add}
      out = ret(y))"));
  const json steps = StepsBy(profile_);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0]["chosen_by"], "rules");
  EXPECT_EQ(steps[1]["chosen_by"], "profile");
}

TEST_F(MeasureKernels, JsonHasWhatItBrings) {
  Measured("--json --threads 2");
  const json kernels = json::parse(out_, nullptr, /*allow_exceptions=*/false)["kernels"];
  EXPECT_GT(kernels["measured"], 0);
  EXPECT_GE(kernels["measured"], kernels["changed"]);
  EXPECT_GT(kernels["rules_ms"], 0.0);
  EXPECT_GT(kernels["profile_ms"], 0.0);
  EXPECT_NE(ReadAll(profile_).find("\nthreads 2\n"), std::string::npos);
}

// No step is left to measure where extents vary, and inputs keep the shapes that they were given.
TEST_F(MeasureKernels, PlansWithoutAChoice) {
  plan_ = Written("varying.linnet", VaryingPlan());
  EXPECT_NE(Measured().find("\nend "), std::string::npos);
  StepsBy(profile_);
  plan_ = Written("panels.linnet", PanelsPlan());
  EXPECT_NE(Measured().find("\nend 0\n"), std::string::npos);
  StepsBy(profile_);
}

TEST_F(MeasureKernels, BadProfilesAreRefused) {
  const std::string text = Measured();
  const auto refused = [&](const std::string& profile, const std::string& sentence) {
    const int code = Run(plan_ + " --kernels " + WriteAll(folder_ / "bad", profile));
    EXPECT_NE(LastLine().find(sentence), std::string::npos) << err_;
    EXPECT_EQ(out_, "");
    return code;
  };
  EXPECT_EQ(refused(text.substr(0, text.size() / 2), "the kernel profile, line "), 1);
  EXPECT_EQ(refused("", "line 1: it must begin as a kernel profile does"), 1);
  EXPECT_EQ(refused(WithWinner(text, "abacus"), "there is no such backend"), 1);
  const size_t steps = text.find('\n', text.find('#')) + 1;
  std::string twice = text;
  twice.insert(steps, text.substr(steps, text.find('\n', steps) - steps + 1));
  EXPECT_EQ(refused(twice, "the step is there twice"), 1);
  std::string other = text;
  other.insert(text.find("\ncpu ") + 5, "Another ");
  EXPECT_EQ(refused(other, "was made with cpu Another "), 2);
  EXPECT_EQ(Run(plan_ + " --threads 2 --kernels " + profile_), 2);
  EXPECT_NE(LastLine().find("threads 1, and this is threads 2"), std::string::npos) << err_;
  EXPECT_EQ(Run(plan_ + " --kernels " + (folder_ / "missing")), 1);
  EXPECT_NE(LastLine().find("cannot read "), std::string::npos) << err_;
}

TEST_F(MeasureKernels, UsageErrors) {
  const std::string measure = plan_ + " --runs 1 --measure-kernels ";
  EXPECT_EQ(Run(measure + profile_ + " --backend portable"), 1);
  EXPECT_NE(LastLine().find("--backend cpu"), std::string::npos) << err_;
  EXPECT_EQ(Run(measure + profile_ + " --kernels " + profile_), 1);
  EXPECT_NE(LastLine().find("goes without --kernels"), std::string::npos) << err_;
  EXPECT_EQ(Run(measure + (folder_ / "no/such/folder")), 3);
  EXPECT_EQ(ReadAll(profile_), "");
}

}  // namespace
}  // namespace linnet
