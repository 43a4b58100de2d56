// SPDX-License-Identifier: Apache-2.0
// Untrusted plans that contradict themselves: extents, offsets, sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "linnet/linnet.h"
#include "runtime/ops/all_attrs.h"
#include "tests/runtime/api/opened_raw_plan.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {
namespace {

using Opened = OpenedRawPlan;

constexpr char kNotLargest[] = "a tensor's shape is not the largest that its symbols allow";

// Each op that packs a constant. Its input's declared extent is `declared`, but its symbol allows
// no more than 1.
enum class Packs { kConv2D, kTransposeConv2D, kFullyConnected, kBatchMatMul };

std::vector<std::byte> DeclaredLarger(Packs op, int64_t declared, int64_t most) {
  RawPlan plan;
  const int32_t n = plan.Symbol(1, most);
  switch (op) {
    case Packs::kConv2D: {
      const int32_t x = plan.Input({1, 1, 1, declared}, {-1, -1, -1, n});
      const int32_t y = plan.Arena({1, 1, 1, 8});
      plan.Step(Conv2DAttrs{}, {x, plan.Constant({8, 1, 1, 1})}, {y});
      break;
    }
    case Packs::kTransposeConv2D: {
      TransposeConv2DAttrs attrs;
      attrs.output_h = attrs.output_w = 1;
      const int32_t x = plan.Input({1, 1, 1, declared}, {-1, -1, -1, n});
      const int32_t y = plan.Arena({1, 1, 1, 8});
      plan.Step(attrs, {x, plan.Constant({8, 1, 1, 1})}, {y});
      break;
    }
    case Packs::kFullyConnected: {
      const int32_t x = plan.Input({1, declared}, {-1, n});
      plan.Step(FullyConnectedAttrs{}, {x, plan.Constant({8, 1})}, {plan.Arena({1, 8})});
      break;
    }
    case Packs::kBatchMatMul: {
      const int32_t x = plan.Input({1, declared}, {-1, n});
      plan.Step(BatchMatMulAttrs{}, {x, plan.Constant({1, 8})}, {plan.Arena({1, 8})});
      break;
    }
  }
  return plan.Finish();
}

TEST(Hostile, DeclaredExtentsAreWhatSymbolsAllow) {
  for (const Packs op :
       {Packs::kConv2D, Packs::kTransposeConv2D, Packs::kFullyConnected, Packs::kBatchMatMul}) {
    EXPECT_EQ(Opened(DeclaredLarger(op, 1, 1)).status, LINNET_OK);
    EXPECT_TRUE(Opened(DeclaredLarger(op, 1 << 20, 1)).IsRefused(kNotLargest));
    EXPECT_TRUE(Opened(DeclaredLarger(op, 1, 1 << 20)).IsRefused(kNotLargest));
    // The filter has one channel.
    EXPECT_EQ(Opened(DeclaredLarger(op, 1 << 20, 1 << 20)).status, LINNET_INVALID_PLAN);
  }
}

TEST(Hostile, WhatFollowsFromSymbolsIsDeclaredAtItsOwnLargest) {
  for (const int64_t declared : {6, 7, 8}) {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, 8);
    const int32_t rest = plan.Symbol(0, 0, 8, {schema::Term(n, -1)});
    plan.Input({8}, {n});
    const int32_t zeros = plan.Arena({declared}, {rest});
    BroadcastToAttrs broadcast;
    broadcast.shape = {0};
    plan.Step(broadcast, {plan.Constant({1})}, {zeros}, {{schema::AttrExtent(0, rest)}, {}});
    const Opened opened(plan.Finish());
    if (declared == 7)
      EXPECT_EQ(opened.status, LINNET_OK) << opened.error.text;
    else
      EXPECT_TRUE(opened.IsRefused(kNotLargest));
  }
}

// Symbols that a step sets must not change the types with which other steps are verified and
// packed.
TEST(Hostile, SetsOfEarlierStepsLowerNothing) {
  for (const bool sets : {false, true}) {
    RawPlan plan;
    const int32_t c = plan.Symbol(1, 1 << 10);
    const int32_t k = plan.Input({1, 8}), abs = plan.Arena({1, 8});
    const int32_t wide = plan.Input({1, 1, 1, 1 << 10});
    const int32_t x = plan.Arena({1, 1, 1, 1 << 10}, {-1, -1, -1, c});
    const int32_t y = plan.Arena({1, 1, 1, 8});
    UnaryAttrs unary;
    unary.kind = schema::UnaryKind::Abs;
    plan.Step(unary, {wide}, {x});
    RawPlan::StepSymbols symbols;
    if (sets) symbols.sets = {schema::SetSymbol(c, 0, -1)};
    plan.Step(unary, {k}, {abs}, symbols);
    plan.Step(Conv2DAttrs{}, {x, plan.Constant({8, 1, 1, 1})}, {y});
    EXPECT_TRUE(Opened(plan.Finish()).IsRefused("filter must have input channels"));
  }
}

// Another extent of the step's own outputs may depend on the symbol that it sets.
TEST(Hostile, SetsHoldForTheirOwnStep) {
  for (const int64_t most : {8, 9}) {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, most);
    const int32_t x = plan.Input({8});
    const int32_t y = plan.Arena({most}, {n}), z = plan.Arena({most}, {n});
    UnaryAttrs unary;
    unary.kind = schema::UnaryKind::Neg;
    plan.Step(unary, {x}, {y}, {{}, {schema::SetSymbol(n, 0, -1)}});
    plan.Step(unary, {y}, {z});
    plan.Port(z, /*is_output=*/true);
    const Opened opened(plan.Finish());
    ASSERT_EQ(opened.status, LINNET_OK) << opened.error.text;
    std::fill_n(opened.input(0), 8, 3.0f);
    ASSERT_EQ(linnet_session_run(opened.session), LINNET_OK)
        << linnet_session_last_error(opened.session)->text;
    int64_t dims[LINNET_MAX_RANK];
    ASSERT_EQ(linnet_session_output_shape(opened.session, 0, dims), 1);
    EXPECT_EQ(dims[0], 8);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(opened.output(0)[i], 3.0f);
  }
}

// A step would run on inputs whose symbol had one value when they were written and has another now.
TEST(Hostile, NoStepSetsWhatItReads) {
  constexpr char kSetsWhatItReads[] = "sets an extent that its own inputs or attributes have";
  UnaryAttrs unary;
  unary.kind = schema::UnaryKind::Neg;
  {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, 5), m = plan.Symbol(1, 5);
    const int32_t x = plan.Input({4, 5}, {-1, n}), y = plan.Arena({4, 5}, {-1, m});
    plan.Step(unary, {x}, {y}, {{}, {schema::SetSymbol(m, 0, -2), schema::SetSymbol(n, 0, -1)}});
    EXPECT_TRUE(Opened(plan.Finish()).IsRefused(kSetsWhatItReads));
  }
  {
    RawPlan plan;  // 1 + n
    const int32_t n = plan.Symbol(1, 5);
    const int32_t more = plan.Symbol(0, 0, 1, {schema::Term(n, 1)});
    const int32_t x = plan.Input({5}, {n}), wide = plan.Arena({6}, {more}), y = plan.Arena({6});
    plan.Step(ConcatAttrs{}, {x, plan.Constant({1})}, {wide});
    plan.Step(unary, {wide}, {y}, {{}, {schema::SetSymbol(n, 0, -1)}});
    EXPECT_TRUE(Opened(plan.Finish()).IsRefused(kSetsWhatItReads));
  }
  {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, 5);
    const int32_t y = plan.Arena({5}, {n});
    BroadcastToAttrs broadcast;
    broadcast.shape = {0};
    plan.Step(broadcast, {plan.Constant({1})}, {y},
              {{schema::AttrExtent(0, n)}, {schema::SetSymbol(n, 0, -1)}});
    EXPECT_TRUE(Opened(plan.Finish()).IsRefused(kSetsWhatItReads));
  }
}

// A step behind it would read more of an input than was written.
TEST(Hostile, NoStepSetsAnExtentOfAnInput) {
  RawPlan plan;
  const int32_t n = plan.Symbol(1, 5);
  const int32_t x = plan.Input({5}, {n}), other = plan.Input({5}), y = plan.Arena({5});
  const int32_t z = plan.Arena({5}, {n});
  UnaryAttrs unary;
  unary.kind = schema::UnaryKind::Neg;
  plan.Step(unary, {other}, {y}, {{}, {schema::SetSymbol(n, 0, -1)}});
  plan.Step(unary, {x}, {z});
  EXPECT_TRUE(Opened(plan.Finish()).IsRefused("or the program's inputs"));
}

// A tensor that is never read may be empty when all symbols are at their maximum.
TEST(Hostile, UnreadOutputsMayNotExistAtTheMaxima) {
  RawPlan plan;
  const int32_t n = plan.Symbol(1, 12);
  const int32_t rest = plan.Symbol(0, 0, 8, {schema::Term(n, -1)});
  const int32_t x = plan.Input({3, 5}), y = plan.Arena({12, 7}, {n, rest});
  UnaryAttrs unary;
  unary.kind = schema::UnaryKind::Neg;
  plan.Step(unary, {x}, {y}, {{}, {schema::SetSymbol(n, 0, -1)}});
  const Opened opened(plan.Finish());
  ASSERT_EQ(opened.status, LINNET_OK) << opened.error.text;
  std::fill_n(opened.input(0), 15, 3.0f);
  EXPECT_EQ(linnet_session_run(opened.session), LINNET_OK)
      << linnet_session_last_error(opened.session)->text;
}

TEST(Hostile, FedFiltersOfAnySizeHaveTheirScratch) {
  constexpr int64_t kMost = 64;
  for (const bool transposed : {false, true}) {
    RawPlan plan;
    const int32_t c = plan.Symbol(1, kMost);
    const int32_t x = plan.Input({1, 3, 3, kMost}, {-1, -1, -1, c});
    const int32_t filter = plan.Input({2, 2, 2, kMost}, {-1, -1, -1, c});
    if (transposed) {
      TransposeConv2DAttrs attrs;
      attrs.output_h = attrs.output_w = 4;
      const int32_t y = plan.Arena({1, 4, 4, 2});
      plan.Step(attrs, {x, filter}, {y});
      plan.Port(y, true);
    } else {
      const int32_t y = plan.Arena({1, 2, 2, 2});
      plan.Step(Conv2DAttrs{}, {x, filter}, {y});
      plan.Port(y, true);
    }
    const Opened opened(plan.Finish());
    ASSERT_EQ(opened.status, LINNET_OK) << opened.error.text;
    for (int64_t channels = kMost; channels >= 1; --channels) {
      const int64_t dims[] = {1, 3, 3, channels}, filter_dims[] = {2, 2, 2, channels};
      ASSERT_EQ(linnet_session_set_input_shape(opened.session, 0, dims, 4), LINNET_OK);
      ASSERT_EQ(linnet_session_set_input_shape(opened.session, 1, filter_dims, 4), LINNET_OK);
      std::fill_n(opened.input(0), 9 * channels, 1.0f);
      std::fill_n(opened.input(1), 8 * channels, 1.0f);
      ASSERT_EQ(linnet_session_run(opened.session), LINNET_OK)
          << channels << ": " << linnet_session_last_error(opened.session)->text;
      // The corner of a transposed convolution is reached by one tap, an inner element by all four.
      EXPECT_EQ(opened.output(0)[0], static_cast<float>((transposed ? 1 : 4) * channels));
    }
  }
}

TEST(Hostile, TensorsWithoutElementsHaveExtentsInRange) {
  for (const int64_t extent : {kMaxShapeElements + 1, int64_t{1} << 60, INT64_MAX}) {
    RawPlan plan;
    const int32_t x = plan.Input({0, extent});
    TransposeAttrs transpose;
    transpose.perm = {1, 0};
    plan.Step(transpose, {x}, {plan.Arena({extent, 0})});
    EXPECT_TRUE(Opened(plan.Finish()).IsRefused("too many elements"));
  }
}

// Steps without elements multiply extents that nothing bounds: none of the products may overflow
// (UBSan).
TEST(Hostile, TensorsWithoutElementsRun) {
  constexpr int64_t kHuge = int64_t{1} << 30;
  const auto run = [](RawPlan& plan) {
    const Opened opened(plan.Finish());
    if (opened.status == LINNET_OK) {
      EXPECT_EQ(linnet_session_run(opened.session), LINNET_OK);
    }
    EXPECT_TRUE(opened.status == LINNET_OK || opened.status == LINNET_NO_MEMORY)
        << opened.error.text;
  };
  {
    RawPlan plan;
    TransposeAttrs transpose;
    transpose.perm = {2, 0, 1};
    plan.Step(transpose, {plan.Input({0, kHuge, 1 << 10})}, {plan.Arena({1 << 10, 0, kHuge})});
    run(plan);
  }
  {
    RawPlan plan;
    plan.Step(BatchMatMulAttrs{},
              {plan.Input({0, kMaxShapeElements}), plan.Input({kMaxShapeElements, 0})},
              {plan.Arena({0, 0})});
    run(plan);
  }
  {
    RawPlan plan;
    plan.Step(FullyConnectedAttrs{}, {plan.Input({0, kHuge}), plan.Input({0, kHuge})},
              {plan.Arena({0, 0})});
    run(plan);
  }
  {
    RawPlan plan;
    plan.Step(Conv2DAttrs{}, {plan.Input({0, 1, 1, kHuge}), plan.Input({0, 1, 1, kHuge})},
              {plan.Arena({0, 1, 1, 0})});
    run(plan);
  }
  {
    RawPlan plan;
    ConcatAttrs concat;
    concat.axis = 1;
    plan.Step(concat, {plan.Input({0, kHuge, 1 << 9}), plan.Input({0, kHuge, 1 << 9})},
              {plan.Arena({0, 2 * kHuge, 1 << 9})});
    run(plan);
  }
  {
    RawPlan plan;
    ReduceAttrs reduce;
    reduce.kind = schema::ReduceKind::Sum;
    reduce.axes = {1};
    plan.Step(reduce, {plan.Input({0, kHuge, 1 << 10})}, {plan.Arena({0, 1 << 10})});
    run(plan);
  }
  {
    RawPlan plan;
    TileAttrs tile;
    tile.multiples = {kHuge, 1, 1 << 9};
    plan.Step(tile, {plan.Input({1, 0, 2})}, {plan.Arena({kHuge, 0, 1 << 10})});
    run(plan);
  }
  {
    RawPlan plan;
    PadAttrs pad;
    pad.before = {0, kHuge};
    pad.after = {0, kHuge};
    plan.Step(pad, {plan.Input({0, 1 << 9})}, {plan.Arena({0, 2 * kHuge + (1 << 9)})});
    run(plan);
  }
}

}  // namespace
}  // namespace linnet
