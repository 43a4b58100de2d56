// SPDX-License-Identifier: Apache-2.0
// Which programs a signature may have.
#include <gmock/gmock.h>

#include <functional>

#include "converter/graph/text/text.h"
#include "converter/import/mapped_file.h"
#include "converter/plan/plan_writer.h"
#include "runtime/verify/verify_plan.h"
#include "tests/scratch_folder.h"

namespace linnet {
namespace {

using converter::PlanStructure;
using testing::HasSubstr;

// A plan with programs "a" and "b" for the host and "a" for a GPU, after `change`.
class Variants : public testing::Test {
 protected:
  // The error message of opening it; "" when it opens.
  std::string Open(const std::function<void(PlanStructure&)>& change) {
    const auto graph = converter::ParseGraph("x = arg f32[2,3] y = Softmax(x) out = ret(y)");
    const converter::PortName input{"x", "x:0"}, output{"y", "y:0"};
    std::vector<converter::Program> programs;
    for (const auto& [key, variant] :
         {std::pair("a", "host"), std::pair("b", "host"), std::pair("a", "vulkan")}) {
      programs.push_back(*converter::BuildProgram(**graph, key, {&input, 1}, {&output, 1}));
      programs.back().variant = variant;
    }
    converter::BuiltPlan plan = converter::BuildPlan(programs);
    change(plan.structure);
    const std::string path = folder_ / "plan.linnet";
    EXPECT_TRUE(WritePlan(plan, path, converter::WrittenCheck::kNone).ok());
    file_ = *converter::MapFile(path);
    Diagnostic diagnostic;
    const Status status = VerifyPlan(file_.bytes, region_, &plan_, &diagnostic);
    EXPECT_TRUE(status.ok() || status.code() == StatusCode::kInvalidPlan);
    return status.ok() ? "" : diagnostic.TextOr(status.what());
  }
  static schema::ProgramT& ProgramOf(PlanStructure& plan, size_t index) {
    return *plan.programs[index];
  }

  const ScratchFolder folder_;
  converter::OwnedBytes file_;
  Region region_;
  VerifiedPlan plan_;
};

TEST_F(Variants, HaveNames) {
  ASSERT_EQ(Open([](PlanStructure&) {}), "");
  ASSERT_EQ(plan_.view.programs.size(), 3);
  EXPECT_EQ(plan_.view.programs[0].variant, Variant::kHost);
  EXPECT_EQ(plan_.view.programs[2].variant, Variant::kVulkan);
  EXPECT_STREQ(plan_.view.programs[2].key, "a");
  EXPECT_EQ(plan_.programs.size(), 3);
}

TEST_F(Variants, ShareTheNamesOfSteps) {
  const auto name = [&](size_t program) { return plan_.view.programs[program].steps[0].source; };
  ASSERT_EQ(Open([](PlanStructure&) {}), "");
  EXPECT_STREQ(name(2), "y");
  EXPECT_EQ(name(2), name(0)) << "in the file once";
}

TEST_F(Variants, AreNamedAfterStepsThatExist) {
  const auto open = [&](int32_t program, int32_t step) {
    return Open([&](PlanStructure& plan) {
      // Without sources in common, writing the plan leaves this alone.
      ProgramOf(plan, 2).regions[0]->steps[0]->sources = {};
      ProgramOf(plan, 2).named_after = program;
      ProgramOf(plan, 2).regions[0]->steps[0]->named_after = step;
    });
  };
  EXPECT_EQ(open(1, 0), "");
  EXPECT_STREQ(plan_.view.programs[2].steps[0].source, "y");
  EXPECT_EQ(open(-1, -1), "");
  EXPECT_STREQ(plan_.view.programs[2].steps[0].source, "");
  for (const auto& [program, step] :
       {std::pair(-1, 0), std::pair(2, 0), std::pair(3, 0), std::pair(0, 1), std::pair(1, 1 << 30)})
    EXPECT_THAT(open(program, step), HasSubstr("is named after a step that does not exist"));
}

TEST_F(Variants, AnEmptyNameIsTheHosts) {
  ASSERT_EQ(Open([](PlanStructure& plan) { ProgramOf(plan, 0).variant = ""; }), "");
  EXPECT_EQ(plan_.view.programs[0].variant, Variant::kHost);
}

// Nothing of it is looked at, so it may have what this version does not know.
TEST_F(Variants, OfLaterVersionsAreLeftOut) {
  for (const size_t index : {size_t{1}, size_t{2}}) {
    ASSERT_EQ(Open([&](PlanStructure& plan) {
                schema::ProgramT& program = ProgramOf(plan, index);
                program.variant = "vulkan_f16";
                program.required_features = {"time_travel"};
                program.regions[0]->steps[0]->inputs = {77};
              }),
              "");
    ASSERT_EQ(plan_.view.programs.size(), 2);
    EXPECT_STREQ(plan_.view.programs[0].key, "a");
  }
  EXPECT_THAT(Open([](PlanStructure& plan) {
                for (const auto& program : plan.programs) program->variant = "later";
              }),
              HasSubstr("holds no program"));
}

TEST_F(Variants, AreDifferent) {
  EXPECT_THAT(Open([](PlanStructure& plan) { ProgramOf(plan, 1).signature->key = "a"; }),
              HasSubstr("signature 'a': two programs are of the same variant"));
  EXPECT_THAT(Open([](PlanStructure& plan) {
                plan.programs.push_back(std::make_unique<schema::ProgramT>(ProgramOf(plan, 2)));
              }),
              HasSubstr("signature 'a': two programs are of the same variant"));
}

TEST_F(Variants, HaveAProgramForTheHost) {
  EXPECT_THAT(Open([](PlanStructure& plan) { ProgramOf(plan, 2).signature->key = "c"; }),
              HasSubstr("signature 'c': it has no program for the host"));
}

TEST_F(Variants, ComeBehindTheHosts) {
  EXPECT_THAT(Open([](PlanStructure& plan) { std::swap(plan.programs[1], plan.programs[2]); }),
              HasSubstr("signature 'b': the host's programs must come before all others"));
}

TEST_F(Variants, HaveTheSameInputsAndOutputs) {
  const std::function<void(schema::ProgramT&)> changes[] = {
      [](schema::ProgramT& program) { program.signature->inputs[0]->name = "z"; },
      [](schema::ProgramT& program) { program.signature->outputs[0]->source = "z:0"; },
      [](schema::ProgramT& program) {
        program.signature->outputs.push_back(
            std::make_unique<schema::PortT>(*program.signature->outputs[0]));
      },
      [](schema::ProgramT& program) {
        for (const auto& tensor : program.tensors) tensor->shape = {3, 2};
      },
  };
  for (const auto& change : changes)
    EXPECT_THAT(Open([&](PlanStructure& plan) { change(ProgramOf(plan, 2)); }),
                HasSubstr("signature 'a': its programs have different inputs or outputs"));
}

}  // namespace
}  // namespace linnet
