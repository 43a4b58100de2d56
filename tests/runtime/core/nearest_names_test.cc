// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/nearest_names.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace linnet {
namespace {

using Names = std::vector<std::string_view>;

TEST(NearestNames, CaseIsNoDifference) {
  const Names ops = {"BiasAdd", "Conv2D", "Conv3D", "MatMul"};
  EXPECT_EQ(NearestNames("conv2d", ops), Names({"Conv2D", "Conv3D"}));
  EXPECT_EQ(NearestNames("MATMUL", ops), Names({"MatMul"}));
}

TEST(NearestNames, FewLettersMayDiffer) {
  const Names inputs = {"image", "mask", "x"};
  for (const char* typed : {"imge", "images", "iamge", "imago", "simage"})
    EXPECT_EQ(NearestNames(typed, inputs), Names({"image"})) << typed;
  EXPECT_EQ(NearestNames("msak", inputs), Names({"mask"}));
  EXPECT_EQ(NearestNames("y", inputs), Names());     // of one letter, none may differ
  EXPECT_EQ(NearestNames("imgs", inputs), Names());  // two changes in five letters
  EXPECT_EQ(NearestNames("StatefulPartitoinedCal", Names({"StatefulPartitionedCall", "While"})),
            Names({"StatefulPartitionedCall"}));
}

TEST(NearestNames, PathsWithTheSameEndAreNear) {
  const Names nodes = {"call/more/act", "call/act", "react", "call/act/more", "acts"};
  EXPECT_EQ(NearestNames("act", nodes),
            Names({"call/act", "call/more/act", "acts", "react", "call/act/more"}));
  EXPECT_EQ(NearestNames("model/act", nodes), Names({"call/act", "call/more/act", "acts"}));
}

TEST(NearestNames, ThoseThatContainTheNameComeLast) {
  EXPECT_EQ(NearestNames("softmax", Names({"head/SoftmaxLayer", "logsoftmaxes", "soft"})),
            Names({"logsoftmaxes", "head/SoftmaxLayer"}));
  EXPECT_EQ(NearestNames("so", Names({"sound", "also"})), Names());  // too short for that
}

TEST(NearestNames, AreLimited) {
  const Names names = {"abcd1", "abcd3", "abcd2", "abcd"};
  EXPECT_EQ(NearestNames("abcde", names, 2), Names({"abcd", "abcd1"}));
  EXPECT_EQ(NearestNames("abcde", {}), Names());
  EXPECT_EQ(NearestNames("", names), Names());
}

// A model may have a million nodes with long names.
TEST(NearestNames, TakesLittleTimeForLongNames) {
  std::vector<std::string> owned;
  for (int i = 0; i < 20000; ++i)
    owned.push_back(std::string(200, 'a') + std::to_string(i) + std::string(200, 'b'));
  const Names names(owned.begin(), owned.end());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(NearestNames(std::string(200, 'a') + "x" + std::string(200, 'b'), names).empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(ListOfNames, NamesTheFirstAndCountsTheRest) {
  const Names names = {"a", "b", "c"};
  EXPECT_EQ(ListOfNames(names), "'a', 'b', 'c'");
  EXPECT_EQ(ListOfNames(names, 2), "'a', 'b' and 1 more");
  EXPECT_EQ(ListOfNames(std::span(names).first(1)), "'a'");
  EXPECT_EQ(ListOfNames({}), "");
}

}  // namespace
}  // namespace linnet
