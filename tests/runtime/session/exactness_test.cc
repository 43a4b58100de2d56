// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/exactness.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/two_devices.h"

namespace linnet {
namespace {

// Of each output: "exact", "rounded" or "unstable".
std::string OfOutputs(const std::vector<std::byte>& bytes) {
  OpenedPlan plan(bytes);
  const Devices devices;
  const Status status = plan.Open(devices.all());
  EXPECT_TRUE(status.ok()) << status.what() << plan.diagnostic.text;
  std::vector<Exactness> tensors(plan.program().tensors.size());
  FindExactness(plan.verified(), tensors.data());
  std::string text;
  for (const PlanPort& port : plan.program().outputs) {
    static constexpr const char* kNames[] = {"exact", "rounded", "unstable"};
    text += (text.empty() ? "" : " ") + std::string(kNames[static_cast<int>(tensors[port.tensor])]);
  }
  return text;
}
std::string OfOutputs(std::string_view text) { return OfOutputs(TextPlan(text)); }

TEST(Exactness, WhatIsMovedStaysExact) {
  EXPECT_EQ(OfOutputs("x = arg f32[2,3] a = Transpose(x) {perm: [1, 0]} out = ret(a)"), "exact");
  EXPECT_EQ(OfOutputs("x = arg f32[2,3] a = Clamp(x) {range: {min: 0.0, max: 6.0}} out = ret(a)"),
            "exact");
  EXPECT_EQ(OfOutputs("x = arg f32[2,3] a = ArgReduce(x) {axis: 1, dtype: 3} out = ret(a)"),
            "exact");
  EXPECT_EQ(
      OfOutputs("x = arg i32[2,3] y = arg i32[2,3] a = Binary(x, y) {kind: Add} out = ret(a)"),
      "exact");
}

TEST(Exactness, ArithmeticRounds) {
  EXPECT_EQ(OfOutputs("x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a)"), "rounded");
  EXPECT_EQ(OfOutputs("x = arg f32[4] a = Unary(x) {kind: Floor} out = ret(a)"), "rounded");
  EXPECT_EQ(OfOutputs(R"(x = arg f32[2,3] a = Unary(x) {kind: Exp} b = Transpose(a) {perm: [1, 0]}
                         out = ret(b))"),
            "rounded");
}

TEST(Exactness, RoundedValuesDecide) {
  EXPECT_EQ(
      OfOutputs(R"(x = arg f32[2,3] a = Unary(x) {kind: Exp} b = ArgReduce(a) {axis: 1, dtype: 3}
                         out = ret(b) two = ret(a))"),
      "unstable rounded");
  EXPECT_EQ(OfOutputs(R"(x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(a) {kind: Floor}
                         c = Unary(b) {kind: Neg} out = ret(c))"),
            "unstable");
}

// Copies to and from a device change nothing.
TEST(Exactness, Copies) {
  EXPECT_EQ(OfOutputs(PlacedPlan(R"(x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a)
                                    c = Unary(b) {kind: Neg} out = ret(c) two = ret(a))")),
            "rounded rounded");
}

}  // namespace
}  // namespace linnet
