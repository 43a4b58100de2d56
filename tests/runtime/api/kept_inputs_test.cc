// SPDX-License-Identifier: Apache-2.0
// LINNET_TENSOR_KEPT is said of inputs that a run really leaves alone, whatever the plan.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/ops/all_attrs.h"
#include "tests/runtime/api/opened_raw_plan.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {
namespace {

constexpr UnaryAttrs kNegate{.kind = schema::UnaryKind::Neg};

// Opens the plan, runs it, and checks of each input whether its flag says what is so.
void ExpectKept(RawPlan& plan, const std::vector<bool>& kept) {
  const OpenedRawPlan opened(plan.Finish());
  ASSERT_EQ(opened.status, LINNET_OK) << opened.error.text;
  for (int i = 0; i < linnet_session_num_inputs(opened.session); ++i)
    std::fill_n(opened.input(i), linnet_session_input_info(opened.session, i)->bytes / 4, 3.0f);
  ASSERT_EQ(linnet_session_run(opened.session), LINNET_OK);
  for (size_t i = 0; i < kept.size(); ++i) {
    const linnet_tensor_info& info =
        *linnet_session_input_info(opened.session, static_cast<int32_t>(i));
    EXPECT_EQ(info.flags, kept[i] ? uint32_t{LINNET_TENSOR_KEPT} : 0u) << "input " << i;
    const float* now = opened.input(static_cast<int>(i));
    if (kept[i]) {
      EXPECT_EQ(std::count(now, now + info.bytes / 4, 3.0f), info.bytes / 4) << "input " << i;
    }
  }
  for (int i = 0; i < linnet_session_num_outputs(opened.session); ++i)
    EXPECT_EQ(linnet_session_output_info(opened.session, i)->flags, 0u);
}

TEST(KeptInputs, WhatHasMemoryOfItsOwn) {
  RawPlan plan;
  const int32_t x = plan.Input({16});
  plan.Input({16});  // that no step reads
  const int32_t y = plan.Arena({16});
  plan.Step(kNegate, {x}, {y});
  plan.Port(y, true);
  ExpectKept(plan, {true, true});
}

TEST(KeptInputs, NotWhatAStepOverwrites) {
  RawPlan plan;
  const int32_t buffer = plan.Buffer(64);
  const int32_t x = plan.Add({.shape = {16}, .buffer = buffer});
  const int32_t y = plan.Add({.shape = {16}, .buffer = buffer});
  plan.Port(x, false);
  plan.Input({16});
  plan.Step(kNegate, {x}, {y});
  plan.Port(y, true);
  ExpectKept(plan, {false, true});
}

// Later steps use a part of an input's memory.
TEST(KeptInputs, NotWhatIsOverwrittenInPart) {
  for (const int64_t at : {0, 60, 64}) {
    RawPlan plan;
    const int32_t buffer = plan.Buffer(256);
    const int32_t x = plan.Add({.shape = {16}, .buffer = buffer});
    const int32_t small = plan.Add({.shape = {1}, .buffer = buffer, .offset = 128});
    const int32_t y = plan.Add({.shape = {1}, .buffer = buffer, .offset = at});
    plan.Port(x, false);
    SliceAttrs slice;
    slice.begin = {15};
    slice.size = slice.stride = {1};
    plan.Step(slice, {x}, {small});
    plan.Step(kNegate, {small}, {y});
    plan.Port(y, true);
    ExpectKept(plan, {at == 64});
  }
}

// A view of an input writes nothing; what overwrites the view does.
TEST(KeptInputs, ViewsCount) {
  for (const bool overwritten : {false, true}) {
    RawPlan plan;
    const int32_t buffer = plan.Buffer(64);
    const int32_t x = plan.Add({.shape = {16}, .buffer = buffer});
    const int32_t rows = plan.Add({.shape = {4, 4}, .buffer = buffer});
    const int32_t row = plan.Add({.shape = {1, 4}, .buffer = buffer, .offset = 32});
    const int32_t y = overwritten ? plan.Add({.shape = {1, 4}, .buffer = buffer, .offset = 32})
                                  : plan.Arena({1, 4});
    plan.Port(x, false);
    plan.Step(ReshapeAttrs{.shape = {4, 4}}, {x}, {rows});
    SliceAttrs slice;
    slice.begin = {2, 0};
    slice.size = {1, 4};
    slice.stride = {1, 1};
    plan.Step(slice, {rows}, {row});
    plan.Step(kNegate, {row}, {y});
    plan.Port(y, true);
    ExpectKept(plan, {!overwritten});
  }
}

// A copy of something else into an input's memory is no view of it.
TEST(KeptInputs, AnotherTensorsViewInItsPlaceOverwritesIt) {
  RawPlan plan;
  const int32_t a = plan.Input({16});
  const int32_t buffer = plan.Buffer(64);
  const int32_t b = plan.Add({.shape = {16}, .buffer = buffer});
  const int32_t y = plan.Add({.shape = {4, 4}, .buffer = buffer});
  plan.Port(b, false);
  plan.Step(ReshapeAttrs{.shape = {4, 4}}, {a}, {y});
  plan.Port(y, true);
  ExpectKept(plan, {true, false});
}

// The caller writes one input over another.
TEST(KeptInputs, NotInputsThatOverlap) {
  RawPlan plan;
  const int32_t buffer = plan.Buffer(256);
  const int32_t out = plan.Arena({16});
  const int32_t a = plan.Add({.shape = {16}, .buffer = buffer});
  const int32_t b = plan.Add({.shape = {16}, .buffer = buffer, .offset = 32});
  const int32_t c = plan.Add({.shape = {16}, .buffer = buffer, .offset = 96});
  for (const int32_t input : {a, b, c}) plan.Port(input, false);
  plan.Step(kNegate, {c}, {out});
  plan.Port(out, true);
  ExpectKept(plan, {false, false, true});
}

}  // namespace
}  // namespace linnet
