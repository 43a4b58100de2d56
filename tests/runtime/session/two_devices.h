// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "runtime/backends/portable/backend.h"
#include "tests/runtime/session/fake_device.h"
#include "tests/runtime/session/opened_plan.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {

// The host and two test devices, the preferred one first.
class Devices {
 public:
  explicit Devices(bool map_memory = false)
      : vulkan({.device = "vulkan", .maps_memory = map_memory}),
        npu({.device = "npu", .maps_memory = map_memory}) {}

  FakeDevice vulkan, npu;
  std::span<const Backend* const> all() const { return all_; }

 private:
  const Backend* const all_[3] = {&vulkan, &portable::GetBackend(), &npu};
};

// What the tests write to element `k` of input `input`.
inline float InputValue(int input, int k, int round = 0) {
  return 0.25f * static_cast<float>(k + round) - 0.5f * static_cast<float>(input);
}

inline void FillInputs(OpenedPlan* plan, int round = 0) {
  for (int i = 0; i < std::ssize(plan->program().inputs); ++i)
    for (int k = 0; k < plan->session.input_type(i).shape.num_elements(); ++k)
      plan->input(i)[k] = InputValue(i, k, round);
}

// Runs a plan and checks that its outputs are those of `alone`, the same graph on the host.
inline void ExpectSameOutputs(OpenedPlan* placed, const std::vector<std::byte>& alone_bytes) {
  OpenedPlan alone(alone_bytes);
  const Backend* const host[] = {&portable::GetBackend()};
  ASSERT_TRUE(alone.Open(host).ok()) << alone.diagnostic.text;
  for (int round = 0; round < 2; ++round) {
    for (OpenedPlan* plan : {placed, &alone}) {
      FillInputs(plan, round);
      const Status status = plan->session.Run();
      ASSERT_TRUE(status.ok()) << status.what();
    }
    for (int i = 0; i < std::ssize(alone.program().outputs); ++i)
      EXPECT_THAT(placed->output(i), testing::ElementsAreArray(alone.output(i)));
  }
}

// "vulkan: Copy Unary | Copy Softmax"; segments of the host have no name.
inline std::string Segments(const OpenedPlan& plan) {
  std::string text;
  const PlanProgram& program = plan.program();
  for (int32_t i = 0; i < program.regions[0].count; ++i) {
    const uint8_t space = program.steps[i].space;
    const bool begins = i == 0 || space != program.steps[i - 1].space;
    if (i > 0) text += begins ? " | " : " ";
    if (begins && space != 0) text.append(program.spaces[space].device).append(": ");
    text += plan.verified().steps[i].def->name;
  }
  return text;
}

}  // namespace linnet
