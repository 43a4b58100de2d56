// SPDX-License-Identifier: Apache-2.0
// Untrusted plans whose outputs overlap inputs: allowed only where each element is read before it
// is overwritten.
#include <gtest/gtest.h>

#include "runtime/ops/all_attrs.h"
#include "tests/runtime/api/opened_raw_plan.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {
namespace {

using Opened = OpenedRawPlan;

void ExpectInPlace(bool allowed, const Opened& opened) {
  if (allowed)
    EXPECT_EQ(opened.status, LINNET_OK) << opened.error.text;
  else
    EXPECT_TRUE(opened.IsRefused("an output overlaps an input"));
}

// Concat(a[n], b[256]) -> [n + 256], written around its inputs: this is right for the largest n
// only.
TEST(Hostile, PartsThatMoveAreNotInPlace) {
  for (const bool varies : {false, true}) {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, 64);
    const int32_t sum = plan.Symbol(0, 0, 256, {schema::Term(n, 1)});
    const int32_t buffer = plan.Buffer(1280);
    const auto symbols = [&](int32_t symbol) {
      return varies ? std::vector<int32_t>{symbol} : std::vector<int32_t>();
    };
    const int32_t a = plan.Add({.shape = {64}, .symbols = symbols(n), .buffer = buffer});
    const int32_t b = plan.Add({.shape = {256}, .buffer = buffer, .offset = 256});
    const int32_t y = plan.Add({.shape = {320}, .symbols = symbols(sum), .buffer = buffer});
    plan.Port(a, false);
    plan.Port(b, false);
    plan.Step(ConcatAttrs{}, {a, b}, {y});
    plan.Port(y, true);
    ExpectInPlace(!varies, Opened(plan.Finish()));
  }
}

// Concat(x[2,3], its first row), where that row is a view of x at the place where the concatenation
// has it. The rest of x may lie behind the output, but not where the output is written.
TEST(Hostile, RowsOfAnotherPartMayLieInPlace) {
  for (const int64_t at : {24, 12}) {
    RawPlan plan;
    const int32_t buffer = plan.Buffer(64);
    const int32_t x = plan.Add({.shape = {2, 3}, .buffer = buffer, .offset = at});
    const int32_t row = plan.Add({.shape = {1, 3}, .buffer = buffer, .offset = at});
    const int32_t y = plan.Add({.shape = {3, 3}, .buffer = buffer});
    plan.Port(x, false);
    SliceAttrs slice;
    slice.begin = {0, 0};
    slice.size = {1, 3};
    slice.stride = {1, 1};
    plan.Step(slice, {x}, {row});
    plan.Step(ConcatAttrs{}, {x, row}, {y});
    plan.Port(y, true);
    const Opened opened(plan.Finish());
    ExpectInPlace(at != 12, opened);
    if (opened.session == nullptr) continue;
    for (int i = 0; i < 6; ++i) opened.input(0)[i] = static_cast<float>(i);
    ASSERT_EQ(linnet_session_run(opened.session), LINNET_OK);
    const auto* out = static_cast<const float*>(linnet_session_output_data(opened.session, 0));
    EXPECT_EQ(std::vector<float>(out, out + 9), (std::vector<float>{0, 1, 2, 3, 4, 5, 0, 1, 2}));
  }
}

TEST(Hostile, SlicesThatMoveAreNotInPlace) {
  for (const bool varies : {false, true}) {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, 64);
    const int32_t buffer = plan.Buffer(512);
    const int32_t x = plan.Add({.shape = {128}, .buffer = buffer});
    const int32_t y = plan.Add({.shape = {64}, .buffer = buffer, .offset = 256});
    plan.Port(x, false);
    SliceAttrs slice;
    slice.begin = slice.size = {64};
    slice.stride = {1};
    RawPlan::StepSymbols symbols;
    if (varies) symbols.extents = {schema::AttrExtent(SliceAttrs::kBeginSlot, n)};
    plan.Step(slice, {x}, {y}, symbols);
    plan.Port(y, true);
    ExpectInPlace(!varies, Opened(plan.Finish()));
  }
}

// Equal maxima do not imply equal extents.
TEST(Hostile, InPlaceMeansTheSameExtents) {
  for (const bool same : {true, false}) {
    RawPlan plan;
    const int32_t n = plan.Symbol(1, 8), m = plan.Symbol(1, 8);
    const int32_t buffer = plan.Buffer(32);
    const int32_t x = plan.Add({.shape = {8}, .symbols = {n}, .buffer = buffer});
    const int32_t other = plan.Input({8}, {m});
    const int32_t y = plan.Add({.shape = {8}, .symbols = {same ? n : m}, .buffer = buffer});
    plan.Port(x, false);
    BinaryAttrs add;
    add.kind = schema::BinaryKind::Add;
    plan.Step(add, {x, other}, {y});
    plan.Port(y, true);
    ExpectInPlace(same, Opened(plan.Finish()));
  }
}

}  // namespace
}  // namespace linnet
