// SPDX-License-Identifier: Apache-2.0
// Plans of other versions than the library's: of each older one a plan runs and gives the right
// numbers. tests/golden/minor_plans.py says which commit wrote each, and computes the numbers.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "runtime/plan/file_header.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"
#include "tests/scratch_folder.h"

namespace linnet {
namespace {

using Values = std::vector<double>;

struct Answers {
  std::map<std::string, Values> inputs, outputs;
};

// By name of the plan.
std::map<std::string, Answers> ReadAnswers() {
  std::map<std::string, Answers> all;
  Answers* answers = nullptr;
  std::istringstream text(ReadAll(LINNET_MINOR_PLANS "/answers.txt"));
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind >> name;
    if (kind == "plan") answers = &all[name];
    if ((kind != "input" && kind != "output") || answers == nullptr) continue;
    Values& values = (kind == "input" ? answers->inputs : answers->outputs)[name];
    for (double value; words >> value;) values.push_back(value);
  }
  return all;
}

std::vector<std::byte> PlanOf(const std::string& name) {
  const std::string bytes = ReadAll(LINNET_MINOR_PLANS "/" + name + ".linnet");
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return {data, data + bytes.size()};
}

template <typename T>
void Store(const Values& values, void* to) {
  std::transform(values.begin(), values.end(), static_cast<T*>(to),
                 [](double value) { return static_cast<T>(value); });
}

template <typename T>
Values Load(const void* from, size_t count) {
  const auto* elements = static_cast<const T*>(from);
  return {elements, elements + count};
}

bool Feed(const linnet_tensor_info& info, const Values& values, void* to) {
  switch (info.dtype) {
    case LINNET_FLOAT32:
      return Store<float>(values, to), true;
    case LINNET_INT32:
      return Store<int32_t>(values, to), true;
    case LINNET_BOOL:
      return Store<bool>(values, to), true;
    default:
      return false;
  }
}

Values Read(const linnet_tensor_info& info, const void* from) {
  switch (info.dtype) {
    case LINNET_FLOAT32:
      return Load<float>(from, info.bytes / sizeof(float));
    case LINNET_INT32:
      return Load<int32_t>(from, info.bytes / sizeof(int32_t));
    case LINNET_INT64:
      return Load<int64_t>(from, info.bytes / sizeof(int64_t));
    default:
      return {};
  }
}

void ExpectNear(const Values& actual, const Values& expected, const std::string& what) {
  // Extents that vary have fewer elements than the info's largest, which is as many as expected.
  ASSERT_GE(actual.size(), expected.size()) << what;
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-5 * (1 + std::abs(expected[i]))) << what << " " << i;
}

class SkewTest : public testing::TestWithParam<linnet_backend> {
 protected:
  static void RunAndCompare(const std::string& name, const Answers& answers) {
    const PlacedBytes bytes(PlanOf(name));
    linnet_plan* plan = nullptr;
    linnet_session* session = nullptr;
    linnet_error error{};
    ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, &error),
              LINNET_OK)
        << name << ": " << error.text;
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    const linnet_status created = linnet_session_create(plan, &options, &session, &error);
    EXPECT_EQ(created, LINNET_OK) << name << ": " << error.text;
    if (created == LINNET_OK) Compare(session, name, answers);
    linnet_session_destroy(session);
    linnet_plan_close(plan);
  }

 private:
  static void Compare(linnet_session* session, const std::string& name, const Answers& answers) {
    ASSERT_EQ(linnet_session_num_inputs(session), static_cast<int>(answers.inputs.size())) << name;
    for (int i = 0; i < linnet_session_num_inputs(session); ++i) {
      const linnet_tensor_info& info = *linnet_session_input_info(session, i);
      ASSERT_TRUE(answers.inputs.contains(info.name)) << name << " " << info.name;
      ASSERT_TRUE(Feed(info, answers.inputs.at(info.name), linnet_session_input_data(session, i)))
          << name << " " << info.name;
    }
    ASSERT_EQ(linnet_session_run(session), LINNET_OK) << name;
    ASSERT_EQ(linnet_session_num_outputs(session), static_cast<int>(answers.outputs.size()))
        << name;
    for (int i = 0; i < linnet_session_num_outputs(session); ++i) {
      const linnet_tensor_info& info = *linnet_session_output_info(session, i);
      ASSERT_TRUE(answers.outputs.contains(info.name)) << name << " " << info.name;
      ExpectNear(Read(info, linnet_session_output_data(session, i)), answers.outputs.at(info.name),
                 name + " " + info.name);
    }
  }
};

TEST_P(SkewTest, PlansOfEachMinorGiveTheRightNumbers) {
  std::set<int> minors;
  for (const auto& [name, answers] : ReadAnswers()) {
    RunAndCompare(name, answers);
    FileHeader header;
    const std::vector<std::byte> plan = PlanOf(name);
    ASSERT_GE(plan.size(), sizeof(header));
    std::memcpy(&header, plan.data(), sizeof(header));
    minors.insert(header.minor);
  }
  for (int minor = 1; minor <= kSchemaMinor; ++minor) EXPECT_TRUE(minors.contains(minor)) << minor;
}

INSTANTIATE_TEST_SUITE_P(Backends, SkewTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE));

// A plan as a newer converter could have written it: the minor version of this library's plan
// "loop" is raised, and tests replace bytes of its structure.
class NewerPlan : public testing::Test {
 protected:
  NewerPlan() : bytes_(GoldenPlan("loop")) {
    ChangeHeader([](FileHeader& h) { ++h.minor; });
  }

  template <typename Change>
  void ChangeHeader(const Change& change) {
    FileHeader header;
    std::memcpy(&header, bytes_.data(), sizeof(header));
    change(header);
    std::memcpy(bytes_.data(), &header, sizeof(header));
  }
  void Replace(std::string_view from, std::string_view to) {
    ASSERT_EQ(from.size(), to.size());
    const auto as_bytes = std::as_bytes(std::span(from));
    const auto found = std::ranges::search(bytes_, as_bytes);
    ASSERT_FALSE(found.empty()) << from;
    std::ranges::copy(std::as_bytes(std::span(to)), found.begin());
  }
  // The release that the plan needs, which lies behind its length.
  void ReplaceRelease(const std::string& release) {
    const std::string length("\3\0\0\0", 4);
    Replace(length + "0.1", length + release);
  }
  linnet_status Open() {
    const PlacedBytes placed(bytes_);
    linnet_plan* plan = nullptr;
    linnet_error error{};
    const linnet_status status =
        linnet_plan_open_memory(placed.data(), placed.size(), nullptr, &plan, &error);
    text_ = error.text;
    linnet_plan_close(plan);
    return status;
  }

  std::vector<std::byte> bytes_;
  std::string text_;
};

TEST_F(NewerPlan, OpensAsLongAsItNeedsNothingNew) { EXPECT_EQ(Open(), LINNET_OK) << text_; }

TEST_F(NewerPlan, NamesItsConverterAndTheReleaseThatItNeeds) {
  Replace("regions", "wormhol");
  Replace("linnet 0.1.0", "linnet 9.4.1");
  ReplaceRelease("9.3");
  EXPECT_EQ(Open(), LINNET_VERSION_TOO_NEW);
  EXPECT_EQ(text_,
            "program 0 needs the feature 'wormhol', which this build does not have; linnet 9.4.1 "
            "wrote the plan, which needs the runtime of release 9.3; this is release 0.1");
}

TEST_F(NewerPlan, OfAnotherMajorToo) {
  ChangeHeader([](FileHeader& h) { h.major = 7, h.minor = 2; });
  EXPECT_EQ(Open(), LINNET_VERSION_TOO_NEW);
  EXPECT_TRUE(
      text_.ends_with("; linnet 0.1.0 wrote the plan, which needs the runtime of release "
                      "0.1; this is release 0.1"))
      << text_;
  EXPECT_TRUE(text_.starts_with("the plan has schema version 7.2,")) << text_;
}

TEST_F(NewerPlan, NothingThatItSaysReachesATerminalAsItIs) {
  Replace("regions", "wormhol");
  Replace("linnet 0.1.0", {"\x1b[2J\n\xe2\x80\xae\0xyz", 12});
  ReplaceRelease("9\033c");
  EXPECT_EQ(Open(), LINNET_VERSION_TOO_NEW);
  EXPECT_NE(
      text_.find("; ?[2J?????xyz wrote the plan, which needs a newer runtime; this is release 0.1"),
      std::string::npos)
      << text_;
}

// Every byte of the structure damaged, so that what is read for the error may lie anywhere.
TEST_F(NewerPlan, DamagedStructuresAreSafeToo) {
  Replace("regions", "wormhol");
  const std::vector<std::byte> whole = bytes_;
  FileHeader header;
  std::memcpy(&header, whole.data(), sizeof(header));
  for (uint64_t i = 0; i < header.structure_bytes; ++i) {
    for (const uint8_t mask : {0x01, 0x80, 0xff}) {
      bytes_ = whole;
      bytes_[header.structure_offset + i] ^= std::byte{mask};
      const bool opens = Open() == LINNET_OK;
      EXPECT_EQ(opens, text_.empty()) << i;
    }
  }
}

TEST_F(NewerPlan, CutShortIsDamaged) {
  bytes_.pop_back();
  EXPECT_EQ(Open(), LINNET_INVALID_PLAN);
  EXPECT_NE(text_.find("truncated"), std::string::npos) << text_;
}

}  // namespace
}  // namespace linnet
