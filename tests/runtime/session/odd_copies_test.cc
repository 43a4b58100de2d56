// SPDX-License-Identifier: Apache-2.0
// Copies as the converter does not write them, but plans may have them.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "schema/plan_generated.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/api/raw_plan.h"
#include "tests/runtime/session/two_devices.h"

namespace linnet {
namespace {

using schema::ProgramT;
using schema::StepT;

using Steps = std::vector<std::unique_ptr<StepT>>;

// The plan with a changed program.
std::vector<std::byte> Changed(const std::vector<std::byte>& bytes,
                               const std::function<void(ProgramT&, Steps&)>& change) {
  return ChangedPlan(bytes, [&](schema::PlanT& plan) {
    change(*plan.programs[0], plan.programs[0]->regions[0]->steps);
  });
}

// Makes one copy of two that follow each other.
void Join(Steps& steps, size_t first) {
  StepT& into = *steps[first];
  const StepT& from = *steps[first + 1];
  into.inputs.push_back(from.inputs[0]);
  into.outputs.push_back(from.outputs[0]);
  steps.erase(steps.begin() + static_cast<ptrdiff_t>(first) + 1);
}

constexpr char kSumAndProduct[] = R"(
  x = arg f32[4] y = arg f32[4] a = Binary(x, y) {kind: Add} b = Binary(a, y) {kind: Mul}
  out = ret(a) two = ret(b))";

TEST(OddCopies, HaveSeveralValues) {
  const std::vector<std::byte> usual = PlacedPlan(kSumAndProduct);
  const std::vector<std::byte> joined = Changed(usual, [](ProgramT& program, Steps& steps) {
    Join(steps, 4);
    Join(steps, 0);
    program.segments[0]->count = 3;
    program.segments[1]->first = 3;
    program.segments[1]->count = 1;
  });
  for (const bool map_memory : {false, true}) {
    Devices devices(map_memory);
    OpenedPlan plan(joined);
    ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
    ASSERT_EQ(Segments(plan), "vulkan: Copy Binary Binary | Copy");
    ExpectSameOutputs(&plan, TextPlan(kSumAndProduct));
    EXPECT_EQ(devices.vulkan.counts().inputs, 2 * 2);
    EXPECT_EQ(devices.vulkan.counts().fetches, 2 * 2);
  }
}

TEST(OddCopies, ComeBetweenOps) {
  constexpr char kText[] = R"(
    x = arg f32[4] y = arg f32[4] a = Unary(x) {kind: Exp} b = Binary(a, y) {kind: Mul} out = ret(b))";
  const std::vector<std::byte> usual = PlacedPlan(kText);
  // The second copy, of y, moves behind the op that reads x.
  const std::vector<std::byte> later =
      Changed(usual, [](ProgramT&, Steps& steps) { std::swap(steps[1], steps[2]); });
  Devices devices;
  OpenedPlan plan(later);
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  ASSERT_EQ(Segments(plan), "vulkan: Copy Unary Copy Binary | Copy");
  ExpectSameOutputs(&plan, TextPlan(kText));
  devices.vulkan.set_step_ns(3);
  plan.session.EnableProfile(true);
  ASSERT_TRUE(plan.session.Run().ok());
  EXPECT_EQ(plan.session.step_ns()[1], 3);
  EXPECT_EQ(plan.session.step_ns()[2], 0);
  EXPECT_EQ(plan.session.step_ns()[3], 3);
}

// An output that a second segment copies back to its device.
TEST(OddCopies, ReadAnOutputAgain) {
  constexpr char kText[] = R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} out = ret(c) two = ret(a))";
  constexpr char kNoSoftmax[] = R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} c = Unary(a) {kind: Neg} out = ret(c) two = ret(a))";
  // In place of the softmax, the second copy to the device reads what the first from it wrote.
  const std::vector<std::byte> changed =
      Changed(PlacedPlan(kText), [](ProgramT& program, Steps& steps) {
        steps[4]->inputs[0] = steps[2]->outputs[0];
        steps.erase(steps.begin() + 3);
        program.segments[1]->count = 1;
        for (size_t i = 2; i < program.segments.size(); ++i) --program.segments[i]->first;
      });
  Devices devices(/*map_memory=*/true);
  OpenedPlan plan(changed);
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  ASSERT_EQ(Segments(plan), "vulkan: Copy Unary | Copy | vulkan: Copy Unary | Copy");
  EXPECT_EQ(MappedBytes(plan), 2 * 256);  // the input and the other output
  ExpectSameOutputs(&plan, TextPlan(kNoSoftmax));
}

// A value that the host copies three times: twice in one step, and once behind a second segment of
// the same device, which is then the one that has the output.
TEST(OddCopies, FetchAValueAgain) {
  constexpr char kText[] = R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Binary(b, a) {kind: Mul}
    out = ret(c) two = ret(a))";
  const std::vector<std::byte> usual = PlacedPlan(kText);
  const auto again = [](ProgramT& program, Steps& steps) {
    // Two more tensors of the same type, in buffers of their own at the end of the arena.
    for (const size_t step : {size_t{2}, steps.size() - 1}) {
      const int32_t copied = steps[2]->inputs[0];
      auto buffer = std::make_unique<schema::BufferT>();
      buffer->offset = program.spaces[0]->size;
      buffer->size = 64;
      program.spaces[0]->size += 64;
      program.buffers.push_back(std::move(buffer));
      auto tensor = std::make_unique<schema::TensorT>(*program.tensors[copied]);
      tensor->buffer = static_cast<int32_t>(program.buffers.size()) - 1;
      tensor->offset = 0;
      program.tensors.push_back(std::move(tensor));
      const auto added = static_cast<int32_t>(program.tensors.size()) - 1;
      steps[step]->inputs.push_back(copied);
      steps[step]->outputs.push_back(added);
      auto port = std::make_unique<schema::PortT>();
      port->name = "again" + std::to_string(added);
      port->tensor = added;
      program.signature->outputs.push_back(std::move(port));
    }
  };
  Devices devices;
  OpenedPlan plan(Changed(usual, again));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  ASSERT_EQ(Segments(plan), "vulkan: Copy Unary | Copy Softmax | vulkan: Copy Binary | Copy");
  ExpectSameOutputs(&plan, TextPlan(kText));
  EXPECT_EQ(plan.output(2), plan.output(1));
  EXPECT_EQ(plan.output(3), plan.output(1));
  EXPECT_EQ(devices.vulkan.counts().outputs, 2 * 4);
}

}  // namespace
}  // namespace linnet
