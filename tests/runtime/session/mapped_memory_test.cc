// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of sessions on devices: in the device's mapped memory, in the arena, and in
// memory of the caller.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/two_devices.h"

namespace linnet {
namespace {

using testing::Each;
using testing::ElementsAreArray;

bool IsInArena(const OpenedPlan& plan, const void* data, const void* in_arena) {
  const auto distance =
      static_cast<const std::byte*>(data) - static_cast<const std::byte*>(in_arena);
  return std::abs(distance) <= plan.program().arena().bytes;
}

// Opens a plan on devices with mapped memory and runs it.
struct MappedPlan {
  MappedPlan(const std::vector<std::byte>& placed, const std::vector<std::byte>& alone)
      : plan(placed) {
    EXPECT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
    for (int i = 0; i < std::ssize(plan.program().outputs); ++i)
      EXPECT_THAT(plan.output(i), Each(0.0f));
    ExpectSameOutputs(&plan, alone);
  }
  // Outputs that a run wrote to the mapped memory at once.
  int early_outputs() const {
    return (devices.vulkan.counts().early_outputs + devices.npu.counts().early_outputs) / 2;
  }

  Devices devices{/*map_memory=*/true};
  OpenedPlan plan;
};

TEST(MappedMemory, HoldsWhatOneDeviceReadsOrWrites) {
  constexpr char kText[] = R"(
    x = arg f32[4] y = arg f32[100] a = Unary(x) {kind: Exp} b = Unary(y) {kind: Neg} out = ret(a) two = ret(b))";
  const MappedPlan mapped(PlacedPlan(kText), TextPlan(kText));
  EXPECT_EQ(Segments(mapped.plan), "vulkan: Copy Copy Unary Unary | Copy Copy");
  // 400 bytes and what kernels may read behind them are more than 256.
  EXPECT_EQ(MappedBytes(mapped.plan), 2 * (256 + 512));
  EXPECT_EQ(mapped.early_outputs(), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(mapped.plan.session.input_data(i)) % 256, 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(mapped.plan.session.output_data(i)) % 256, 0);
  }
}

TEST(MappedMemory, IsNotUsedWithoutIt) {
  constexpr char kText[] = "x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a)";
  Devices devices;
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(MappedBytes(plan), 0);
  ExpectSameOutputs(&plan, TextPlan(kText));
  EXPECT_EQ(devices.vulkan.counts().early_outputs, 0);
  EXPECT_TRUE(IsInArena(plan, plan.session.input_data(0), plan.session.output_data(0)));
}

// Each of these has one input and one output; each is refused one of the two places, or both.
TEST(MappedMemory, HoldsNothingElse) {
  struct Case {
    const char* text;
    int64_t bytes;
    int early_outputs;
  };
  const Case cases[] = {
      // The host reads the input too.
      {R"(x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(x) c = Binary(a, b) {kind: Add} out = ret(c))",
       256, 1},
      // The host reads the output too.
      {R"(x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} out = ret(a) two = ret(c))",
       2 * 256, 1},
      // The host writes what the device reads, and reads what the device writes.
      {R"(x = arg f32[4] a = Softmax(x) b = Unary(a) {kind: Neg} c = Softmax(b) out = ret(c))", 0,
       0},
      // The input is an output too.
      {R"(x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(x) two = ret(a))", 256, 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const MappedPlan mapped(PlacedPlan(c.text), TextPlan(c.text));
    EXPECT_EQ(MappedBytes(mapped.plan), c.bytes) << Segments(mapped.plan);
    EXPECT_EQ(mapped.early_outputs(), c.early_outputs);
  }
}

// The state is set to the output's value after the run.
TEST(MappedMemory, HoldsNoNextValueOfAState) {
  const MappedPlan mapped(PlacedPlan(*SumOfRuns(), {{"add", "vulkan"}}), GraphPlan(*SumOfRuns()));
  EXPECT_EQ(Segments(mapped.plan), "vulkan: Copy Copy Binary | Copy");
  EXPECT_EQ(MappedBytes(mapped.plan), 256);  // the input
  EXPECT_EQ(mapped.early_outputs(), 0);
}

TEST(MappedMemory, HoldsNoInputOfTwoDevices) {
  constexpr char kText[] = R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(x) {kind: Neg} out = ret(a) two = ret(b))";
  const MappedPlan mapped(PlacedPlan(kText, {{"a", "vulkan"}, {"b", "npu"}}), TextPlan(kText));
  EXPECT_EQ(MappedBytes(mapped.plan), 2 * 256);  // the outputs, one on each device
  EXPECT_EQ(mapped.devices.vulkan.counts().early_outputs, 2);
  EXPECT_EQ(mapped.devices.npu.counts().early_outputs, 2);
}

TEST(MappedMemory, HoldsAnOutputOfTwoNamesOnce) {
  constexpr char kText[] = "x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a) two = ret(a)";
  const MappedPlan mapped(PlacedPlan(kText), TextPlan(kText));
  EXPECT_EQ(MappedBytes(mapped.plan), 2 * 256);
  EXPECT_EQ(mapped.plan.session.output_data(0), mapped.plan.session.output_data(1));
}

// Memory of the caller: an input and an output of four floats.
struct Bound {
  alignas(64) float in[32] = {};
  alignas(64) float out[32] = {};
};

constexpr char kExp[] = R"(
  x = arg f32[2,2] a = Unary(x) {kind: Exp} b = Unary(a) {kind: Neg} out = ret(b))";

// The output for an input that a test has written.
std::vector<float> Expected(const float* in) {
  std::vector<float> out(4);
  std::transform(in, in + 4, out.begin(), [](float x) { return -std::exp(x); });
  return out;
}

// Both with memory that a run may use directly, and with other memory.
TEST(BoundMemory, IsReadAndWrittenBySegments) {
  for (const bool map_memory : {false, true}) {
    for (const int first : {0, 1}) {
      Devices devices(map_memory);
      OpenedPlan plan(PlacedPlan(kExp));
      ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
      Interpreter& session = plan.session;
      void* const own_input = session.input_data(0);
      void* const own_output = session.output_data(0);
      Bound bound;
      float* const in = bound.in + first;
      float* const out = bound.out + first;
      ASSERT_TRUE(session.BindInput(0, {in, 64}).ok());
      ASSERT_TRUE(session.BindOutput(0, {out, 64}).ok());
      EXPECT_EQ(session.input_data(0), in);
      EXPECT_EQ(session.output_data(0), out);
      for (int round = 0; round < 2; ++round) {
        for (int k = 0; k < 4; ++k) in[k] = InputValue(0, k, round);
        ASSERT_TRUE(session.Run().ok());
        for (int k = 0; k < 4; ++k) EXPECT_NEAR(out[k], Expected(in)[k], 1e-6);
        EXPECT_EQ(out[4], 0.0f);
      }
      // The device writes to memory that it shares with the host, not to the caller's.
      EXPECT_EQ(devices.vulkan.counts().early_outputs, map_memory ? 2 : 0);

      // Back in the session's own memory, the caller's is not accessed any more.
      ASSERT_TRUE(session.BindInput(0, {}).ok());
      ASSERT_TRUE(session.BindOutput(0, {}).ok());
      EXPECT_EQ(session.input_data(0), own_input);
      EXPECT_EQ(session.output_data(0), own_output);
      std::fill_n(bound.in, 32, 5.0f);
      std::fill_n(bound.out, 32, 6.0f);
      ExpectSameOutputs(&plan, TextPlan(kExp));
      EXPECT_THAT(bound.out, Each(6.0f));
    }
  }
}

TEST(BoundMemory, MayHaveGapsBetweenRows) {
  constexpr char kText[] = R"(
    x = arg f32[2,2,2] a = Unary(x) {kind: Exp} b = Unary(a) {kind: Neg} out = ret(b))";
  for (const bool map_memory : {false, true}) {
    Devices devices(map_memory);
    OpenedPlan plan(PlacedPlan(kText));
    ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
    Bound bound;
    const int64_t bytes = sizeof(bound.in), pitch = 8 * sizeof(float);
    ASSERT_TRUE(plan.session.BindInput(0, {bound.in, bytes, pitch}).ok());
    ASSERT_TRUE(plan.session.BindOutput(0, {bound.out, bytes, pitch}).ok());
    for (int k = 0; k < 32; ++k) bound.in[k] = InputValue(0, k);
    ASSERT_TRUE(plan.session.Run().ok());
    for (int row = 0; row < 2; ++row) {
      const std::span<const float> out(bound.out + row * 8, 8);
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(out[k], Expected(bound.in + row * 8)[k], 1e-6);
      for (int k = 4; k < 8; ++k) EXPECT_EQ(out[k], 0.0f);
    }
  }
}

}  // namespace
}  // namespace linnet
