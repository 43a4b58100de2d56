// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/step_names.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using Sources = std::vector<std::string>;

// A program with two regions, of one step per list of sources.
std::unique_ptr<schema::ProgramT> NewProgram(const std::string& key, const std::string& variant,
                                             const std::vector<Sources>& program,
                                             const std::vector<Sources>& loop) {
  auto made = std::make_unique<schema::ProgramT>();
  made->signature = std::make_unique<schema::SignatureT>();
  made->signature->key = key;
  made->variant = variant;
  for (const std::vector<Sources>& steps : {program, loop}) {
    auto& region = *made->regions.emplace_back(std::make_unique<schema::RegionT>());
    for (const Sources& sources : steps)
      region.steps.emplace_back(std::make_unique<schema::StepT>())->sources = sources;
  }
  return made;
}

// The sources, or named_after, of each step.
std::vector<std::string> NamesOf(const schema::ProgramT& program) {
  std::vector<std::string> names;
  for (const auto& region : program.regions)
    for (const auto& step : region->steps) {
      std::string name = step->named_after < 0 ? "" : std::to_string(step->named_after);
      for (const std::string& source : step->sources) name += (name.empty() ? "" : "+") + source;
      names.push_back(name);
    }
  return names;
}

class StepNamesTest : public testing::Test {
 protected:
  StepNamesTest() {
    plan_.programs.push_back(NewProgram("other", "host", {{"z"}}, {}));
    plan_.programs.push_back(NewProgram("key", "host", {{"a"}, {"b", "c"}, {"a"}}, {{"d"}}));
    plan_.programs.push_back(
        NewProgram("key", "vulkan", {{"d"}, {"b"}, {"z"}, {}}, {{"b", "c"}, {"a"}}));
  }
  schema::PlanT plan_;
};

TEST_F(StepNamesTest, AreThoseOfTheHostsSteps) {
  ShareNames(&plan_);
  EXPECT_THAT(NamesOf(*plan_.programs[1]), ElementsAre("a", "b+c", "a", "d"));
  EXPECT_THAT(NamesOf(*plan_.programs[2]), ElementsAre("3", "b", "z", "", "1", "0"));
  EXPECT_EQ(plan_.programs[2]->named_after, 1);
  EXPECT_EQ(plan_.programs[1]->named_after, -1);
  RepeatNames(&plan_);
  EXPECT_THAT(NamesOf(*plan_.programs[2]), ElementsAre("d", "b", "z", "", "b+c", "a"));
  EXPECT_EQ(plan_.programs[2]->named_after, -1);
}

TEST_F(StepNamesTest, StayWithoutAProgramOfTheHost) {
  plan_.programs.erase(plan_.programs.begin() + 1);
  ShareNames(&plan_);
  EXPECT_THAT(NamesOf(*plan_.programs[1]), ElementsAre("d", "b", "z", "", "b+c", "a"));
  EXPECT_EQ(plan_.programs[1]->named_after, -1);
}

TEST_F(StepNamesTest, AreDroppedWhereTheyLeadNowhere) {
  for (const int32_t program : {-2, 2, 3, 1 << 30}) {
    plan_.programs[2]->named_after = program;
    plan_.programs[2]->regions[0]->steps[3]->named_after = 0;
    RepeatNames(&plan_);
    EXPECT_EQ(NamesOf(*plan_.programs[2])[3], "");
  }
  plan_.programs[2]->named_after = 1;
  plan_.programs[2]->regions[0]->steps[3]->named_after = 4;
  RepeatNames(&plan_);
  EXPECT_EQ(NamesOf(*plan_.programs[2])[3], "");
}

}  // namespace
}  // namespace linnet::converter
