// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/tf_op_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/legalize/tf_op_table.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string_view> WordsOf(const TfOpGroup& group) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < group.ops.size();) {
    const size_t end = std::min(group.ops.find(' ', at), group.ops.size());
    words.push_back(group.ops.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool IsPattern(std::string_view word) { return word.find('*') != std::string_view::npos; }

std::string NameOf(const TfOpGroup* group) {
  return group == nullptr ? "none" : std::string(group->name);
}

// Every op that TensorFlow registers has exactly one answer.
TEST(TfOpGroups, EveryOpConvertsIsSettledOrHasAReason) {
  std::map<std::string, int> counts;
  for (const std::string_view op : TensorFlowOpNames()) {
    if (FindTfOp(op) != nullptr) {
      ++counts["converted"];
      continue;
    }
    const TfOpGroup* group = FindTfOpGroup(op);
    ASSERT_NE(group, nullptr) << op << " has neither a row nor a group in tf_op_groups.def";
    EXPECT_FALSE(group->is_foreign) << op;
    ++counts[group->fate == TfOpFate::kFolded    ? "folded"
             : group->fate == TfOpFate::kDropped ? "dropped"
                                                 : "refused"];
  }
  int all = 0;
  for (const auto& [fate, count] : counts) {
    std::printf("%5d %s\n", count, fate.c_str());
    all += count;
  }
  EXPECT_EQ(all, static_cast<int>(TensorFlowOpNames().size()));
  for (const char* fate : {"converted", "folded", "dropped", "refused"})
    EXPECT_GT(counts[fate], 0) << fate;
}

TEST(TfOpGroups, NoOpIsSpelledOutTwiceOrHasARow) {
  std::set<std::string_view> seen;
  for (const TfOpGroup& group : TfOpGroups()) {
    for (const std::string_view word : WordsOf(group)) {
      EXPECT_TRUE(seen.insert(word).second) << word << " is in the table twice";
      EXPECT_TRUE(IsPattern(word) || FindTfOp(word) == nullptr) << word << " has a row, too";
    }
  }
}

// What TensorFlow does not have any more, or what other lines of the table take, must go.
TEST(TfOpGroups, EveryWordIsOfUse) {
  for (const TfOpGroup& group : TfOpGroups()) {
    const std::vector<std::string_view> ops = OpsOf(group);
    EXPECT_EQ(ops.empty(), group.is_foreign) << group.name;
    for (const std::string_view word : WordsOf(group)) {
      if (IsPattern(word) || group.is_foreign) continue;
      EXPECT_TRUE(std::ranges::binary_search(ops, word)) << word << " is no op of TensorFlow's";
    }
  }
}

TEST(TfOpGroups, EveryGroupTellsTheReasonAndAWayOut) {
  std::set<std::string_view> names;
  for (const TfOpGroup& group : TfOpGroups()) {
    EXPECT_TRUE(names.insert(group.name).second) << group.name;
    EXPECT_NE(group.reason, "") << group.name;
    EXPECT_NE(group.way_out, "") << group.name;
    EXPECT_EQ(group.becomes.empty(), group.fate == TfOpFate::kRefused) << group.name;
    for (const std::string_view text : {group.reason, group.way_out})
      EXPECT_TRUE(!text.ends_with('.') && !text.starts_with(' ')) << text;
  }
}

TEST(TfOpGroups, NamesWinOverPatternsAndEarlierPatternsOverLater) {
  const std::pair<const char*, const char*> kCases[] = {
      {"QueueDequeueV2", "input pipelines"},
      {"TensorArrayGradV3", "training"},
      {"TensorArrayV2", "older tensor arrays"},
      {"ReluGrad", "training"},
      {"_MklReluGrad", "oneDNN"},
      {"Qr", "linear algebra"},
      {"DecodeBase64", "strings"},
      {"DecodePng", "files of pictures and data"},
      {"XlaCallModule", "StableHLO"},
      {"XlaSort", "XLA"},
      {"RaggedTensorToSparse", "ragged tensors"},
      {"Switch", "switches and merges"},
      {"VarHandleOp", "variables"},
      {"Foo1", "tests of TensorFlow"},
  };
  for (const auto& [op, group] : kCases) EXPECT_EQ(NameOf(FindTfOpGroup(op)), group) << op;
}

// Patterns take only ops that TensorFlow has: a user's own may be called alike.
TEST(TfOpGroups, OwnOpsAreInNoGroup) {
  for (const char* op : {"Frobnicate", "SparseFrobnicate", "FrobnicateGrad", "conv2d", ""})
    EXPECT_EQ(NameOf(FindTfOpGroup(op)), "none") << op;
}

TEST(TfOpGroups, KnowsOpsOfOtherPackages) {
  const TfOpGroup* group = FindTfOpGroup("SentencepieceTokenizeOp");
  ASSERT_EQ(NameOf(group), "TensorFlow Text");
  EXPECT_THAT(std::string(group->way_out), HasSubstr("feed the ids"));
  EXPECT_THAT(OpsOf(*group), IsEmpty());
  EXPECT_EQ(NameOf(FindTfOpGroup("Addons>Gelu")), "TensorFlow Addons");
  EXPECT_EQ(NameOf(FindTfOpGroup("TRTEngineOp")), "other compilers");
}

}  // namespace
}  // namespace linnet::converter
