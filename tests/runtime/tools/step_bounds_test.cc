// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/step_bounds.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace linnet::tools {
namespace {

// 50 G multiply-adds and 20 GB each second.
constexpr MachineBounds kMachine = {
    .fma_gflops = 100.0, .read_gb_per_s = 20.0, .copy_gb_per_s = 10.0};

linnet_step_info Step(const char* op, int64_t macs, int64_t bytes,
                      const char* backend = "portable") {
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  info.op = op;
  info.backend = backend;
  info.macs = macs;
  info.bytes = bytes;
  return info;
}

TEST(StepBounds, TheLongerOneBounds) {
  const Bound computes = BoundOf(kMachine, 50'000'000, 10'000'000);
  EXPECT_DOUBLE_EQ(computes.fma_ms, 1.0);
  EXPECT_DOUBLE_EQ(computes.memory_ms, 0.5);
  EXPECT_DOUBLE_EQ(computes.ms(), 1.0);
  EXPECT_DOUBLE_EQ(BoundOf(kMachine, 50'000'000, 40'000'000).ms(), 2.0);
}

TEST(StepBounds, TheFasterWayToMoveDataBounds) {
  const MachineBounds copies = {.fma_gflops = 1.0, .read_gb_per_s = 10.0, .copy_gb_per_s = 40.0};
  EXPECT_DOUBLE_EQ(BoundOf(copies, 0, 40'000'000).ms(), 1.0);
}

TEST(StepBounds, WhatWasNotMeasuredBoundsNothing) {
  EXPECT_DOUBLE_EQ(BoundOf({.fma_gflops = 100.0}, 50'000'000, 1 << 30).ms(), 1.0);
  EXPECT_DOUBLE_EQ(BoundOf({}, 50'000'000, 1 << 30).ms(), 0.0);
}

TEST(StepBounds, SharesMayExceedOne) {
  const Bound bound = BoundOf(kMachine, 50'000'000, 0);
  EXPECT_DOUBLE_EQ(bound.ShareOf(4.0).value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(bound.ShareOf(0.5).value_or(0), 2.0);
  EXPECT_FALSE(bound.ShareOf(0.0).has_value());  // too short for the clock
}

TEST(StepBounds, StepsThatReadAllOfTheirInputsHaveBounds) {
  for (const char* backend : {"portable", "xnnpack"}) {
    const auto bound = BoundOfStep(kMachine, Step("Conv2D", 100'000'000, 20'000, backend));
    ASSERT_TRUE(bound.has_value()) << backend;
    EXPECT_DOUBLE_EQ(bound->fma_ms, 2.0);
    EXPECT_DOUBLE_EQ(bound->memory_ms, 0.001);
  }
  for (const char* op : {"Gather", "Slice", "Reshape"})
    EXPECT_FALSE(BoundOfStep(kMachine, Step(op, 0, 1000)).has_value()) << op;
  EXPECT_FALSE(BoundOfStep(kMachine, Step("Conv2D", 1, 1, "vulkan")).has_value());
  EXPECT_FALSE(BoundOfStep(kMachine, Step("While", 0, 1, "control")).has_value());
}

TEST(StepBounds, RunsReadTheirWeightsOnce) {
  const linnet_step_info steps[] = {Step("Conv2D", 100'000'000, 50'000'000),
                                    Step("Reshape", 0, 50'000'000),
                                    Step("FullyConnected", 50'000'000, 10'000'000)};
  const auto bound = BoundOfRun(kMachine, steps, {.weights = 19'000'000, .ports = 1'000'000});
  ASSERT_TRUE(bound.has_value());
  EXPECT_DOUBLE_EQ(bound->fma_ms, 3.0);
  EXPECT_DOUBLE_EQ(bound->memory_ms, 1.0);
}

TEST(StepBounds, TablesAreNotReadWhole) {
  const auto memory_ms = [](int64_t weights) {
    const linnet_step_info steps[] = {Step("Gather", 0, 12'000'000)};
    return BoundOfRun(kMachine, steps, {.weights = weights, .ports = 2'000'000})
        .value_or(Bound{})
        .memory_ms;
  };
  EXPECT_DOUBLE_EQ(memory_ms(30'000'000), 1.0);
  EXPECT_DOUBLE_EQ(memory_ms(1'000'000), 0.1);  // the table was no weight
}

TEST(StepBounds, RunsElsewhereHaveNone) {
  for (const char* backend : {"vulkan", "control"}) {
    const linnet_step_info steps[] = {Step("Conv2D", 1, 1), Step("Unary", 0, 1, backend)};
    EXPECT_FALSE(BoundOfRun(kMachine, steps, {}).has_value()) << backend;
  }
}

}  // namespace
}  // namespace linnet::tools
