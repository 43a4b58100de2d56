// SPDX-License-Identifier: Apache-2.0
// Sessions on plans whose steps run in strips, written byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/runtime/api/opened_raw_plan.h"
#include "tests/runtime/api/strips_plan.h"

namespace linnet {
namespace {

using Parts = StripsPlanParts;

constexpr int kElements = 8 * 6 * 4;

std::vector<float> NumbersOf(const std::vector<std::byte>& bytes, linnet_backend backend) {
  const OpenedRawPlan plan(bytes, backend);
  EXPECT_EQ(plan.status, LINNET_OK) << plan.error.text;
  if (plan.status != LINNET_OK) return {};
  for (int run = 0; run < 2; ++run) {
    for (int i = 0; i < kElements; ++i)
      plan.input(0)[i] = static_cast<float>((i * 37) % 23 - 11) / 8;
    EXPECT_EQ(linnet_session_run(plan.session), LINNET_OK);
  }
  return {plan.output(0), plan.output(0) + kElements};
}

std::vector<std::byte> WholePlan() {
  return RawStripsPlan([](schema::ProgramT& program) {
    program.strips.clear();
    program.regions[0]->steps[0]->scratch = -1;
    GiveMemory(program, Parts::kCurve);
    GiveMemory(program, Parts::kWindows);
  });
}

// `over`: their output lies where their input does.
std::vector<std::byte> PlanWith(uint32_t rows, bool over) {
  return RawStripsPlan([&](schema::ProgramT& program) {
    program.strips = {{0, 3, rows}};
    schema::BufferT& memory = *program.buffers[program.regions[0]->steps[0]->scratch];
    memory.offset = program.spaces[0]->size;
    memory.size = 1 << 12;
    program.spaces[0]->size += memory.size;
    if (over) program.tensors[Parts::kY]->buffer = program.tensors[Parts::kX]->buffer;
  });
}

TEST(RawStrips, GiveTheNumbersOfWholeSteps) {
  const std::vector<float> expected = NumbersOf(WholePlan(), LINNET_BACKEND_PORTABLE);
  ASSERT_FALSE(expected.empty());
  for (const linnet_backend backend :
       {LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE, LINNET_BACKEND_PLAIN})
    for (const uint32_t rows : {1u, 2u, 3u, 7u, 8u})
      for (const bool over : {false, true})
        EXPECT_EQ(NumbersOf(PlanWith(rows, over), backend), expected)
            << "backend " << backend << ", " << rows << " rows" << (over ? " over the input" : "");
}

TEST(RawStrips, KeepInputsThatTheyDoNotWriteOver) {
  const auto is_kept = [](const std::vector<std::byte>& bytes) {
    const OpenedRawPlan plan(bytes);
    EXPECT_EQ(plan.status, LINNET_OK) << plan.error.text;
    return plan.status == LINNET_OK &&
           linnet_session_input_info(plan.session, 0)->flags == LINNET_TENSOR_KEPT;
  };
  EXPECT_TRUE(is_kept(PlanWith(2, /*over=*/false)));
  EXPECT_FALSE(is_kept(PlanWith(2, /*over=*/true)));
}

}  // namespace
}  // namespace linnet
