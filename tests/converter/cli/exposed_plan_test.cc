// SPDX-License-Identifier: Apache-2.0
// Plans whose outputs are all their tensors, on the host and on a test device.
#include "converter/cli/exposed_plan.h"

#include <gmock/gmock.h>

#include "runtime/backends/portable/backend.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/session/fake_device.h"
#include "tests/runtime/session/opened_plan.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two steps for Exp, and results of every memory.
constexpr char kGraph[] = R"(
  x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} d = Binary(c, a) {kind: Add}
  e = Softmax(d) out = ret(d) two = ret(e))";

std::vector<std::byte> BytesOf(const ExposedPlan& plan) {
  const auto bytes = std::as_bytes(std::span(plan.bytes));
  return {bytes.begin(), bytes.end()};
}

TEST(ExposedPlan, BothProgramsShowTheSameTensors) {
  const auto exposed = ExposeTensors(VariantsPlan(kGraph), "");
  ASSERT_TRUE(exposed.ok()) << exposed.status();
  std::vector<std::string> tensors;
  for (const ExposedTensor& tensor : exposed->tensors)
    tensors.push_back(tensor.op + " " + tensor.sources[0] + " " + tensor.fetched_as);
  EXPECT_THAT(tensors,
              ElementsAre("Unary a ", "Softmax b ", "Unary c ", "Binary d out0", "Softmax e out1"));
  const FakeDevice device;
  const Backend* const backends[] = {&device, &portable::GetBackend()};
  OpenedPlan host(BytesOf(*exposed)), gpu(BytesOf(*exposed), 1);
  for (OpenedPlan* plan : {&host, &gpu}) {
    ASSERT_TRUE(plan->Open(backends).ok()) << plan->diagnostic.text;
    for (int i = 0; i < 4; ++i) plan->input(0)[i] = 0.5f * static_cast<float>(i) - 1;
    ASSERT_TRUE(plan->session.Run().ok());
  }
  EXPECT_GT(device.counts().steps, 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(host.output(i), gpu.output(i)) << i;
    for (int k = 0; k < i; ++k) EXPECT_NE(host.output(i), host.output(k)) << "each has its memory";
  }
}

TEST(ExposedPlan, AProgramThatSharesNothing) {
  const auto exposed =
      ExposeTensors(VariantsPlan("x = arg f32[4] a = Softmax(x) out = ret(a)"), "serving_default");
  ASSERT_TRUE(exposed.ok()) << exposed.status();
  EXPECT_EQ(exposed->tensors.size(), 1);
}

// What only strips make exists as a whole then, and the outputs have the same bits.
TEST(ExposedPlan, ShowsWhatIsMadeInStrips) {
  const std::vector<std::byte>& strips = StripsPlan();
  const auto exposed = ExposeTensors(strips, "");
  ASSERT_TRUE(exposed.ok()) << exposed.status();
  std::vector<std::string> nodes;
  for (const ExposedTensor& tensor : exposed->tensors) nodes.push_back(tensor.sources[0]);
  EXPECT_THAT(nodes, ElementsAre("wide", "windows", "narrow", "y"));
  const Backend* const backends[] = {&portable::GetBackend()};
  OpenedPlan whole(BytesOf(*exposed)), original(strips);
  for (OpenedPlan* plan : {&whole, &original}) {
    ASSERT_TRUE(plan->Open(backends).ok()) << plan->diagnostic.text;
    for (int i = 0; i < 16 * 24 * 2; ++i) plan->input(0)[i] = static_cast<float>(i % 29) / 8 - 1;
    ASSERT_TRUE(plan->session.Run().ok());
  }
  EXPECT_FALSE(original.program().strips.empty());
  EXPECT_TRUE(whole.program().strips.empty());
  EXPECT_EQ(whole.output(3), original.output(0));
}

TEST(ExposedPlan, WhatCannotBeShown) {
  EXPECT_EQ(ExposeTensors(VariantsPlan(kGraph), "other").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ExposeTensors(PlacedPlan(kGraph), "").status().message()),
              HasSubstr("--place cpu"));
}

}  // namespace
}  // namespace linnet::cli
