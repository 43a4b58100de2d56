// SPDX-License-Identifier: Apache-2.0
// Memory that a device's steps use while they run.
#include <gtest/gtest.h>

#include "converter/place/place_graph.h"
#include "converter/plan/plan_writer.h"
#include "runtime/core/checked.h"
#include "tests/converter/place/fake_devices.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

// Four steps on the device, of which b wants memory.
class Scratch : public testing::Test {
 protected:
  static constexpr int64_t kTensor = 4096, kWanted = 10'000;

  static DeviceSet Devices(int64_t wanted) {
    Device cpu = CpuAndGpu(Layout::kRows4)[CpuAndGpu().host()];
    Device gpu = CpuAndGpu(Layout::kRows4)[CpuAndGpu().FindKey("vulkan")];
    gpu.scratch_bytes = [wanted](const Node& node) {
      return node.name() == "b" ? wanted : int64_t{0};
    };
    return DeviceSet({cpu, gpu});
  }
  Program Build(int64_t wanted) {
    graph_ = LinnetGraph(R"(
      x = arg f32[16,64]
      a = Unary(x) {kind: Exp}
      b = Unary(a) {kind: Tanh}
      c = Pad(b) {before: [0, 0], after: [16, 0]}
      d = Unary(c) {kind: Neg}
      y = ret(d))");
    const DeviceSet devices = Devices(wanted);
    std::vector<std::string> notes;
    const auto placed = PlaceGraph({.place = "vulkan"}, devices, graph_.get(), &notes);
    EXPECT_TRUE(placed.ok()) << placed.status();
    const PortName port;
    auto program =
        BuildProgram(*graph_, "key", {&port, 1}, {&port, 1}, {}, placed->partition, devices);
    EXPECT_TRUE(program.ok()) << program.status();
    return *std::move(program);
  }
  // The plan as the runtime opens it.
  static PlanStructure Write(const Program& program) {
    const ScratchFolder folder;
    const auto written = WritePlan(BuildPlan({&program, 1}), folder / "plan");
    EXPECT_TRUE(written.ok()) << written.status();
    const std::string bytes = ReadAll(folder / "plan");
    return ReadStructure(std::as_bytes(std::span(bytes)));
  }

  std::unique_ptr<Graph> graph_;
};

TEST_F(Scratch, IsABufferOfTheStepThatWantsIt) {
  const Program program = Build(kWanted);
  int found = 0;
  for (const Program::Step& step : program.steps) {
    const bool wants = !step.is_copy && step.node->name() == "b";
    EXPECT_EQ(step.scratch >= 0, wants);
    if (!wants) continue;
    ++found;
    const planner::BufferPlace& buffer = program.devices[0].memory.buffers[step.scratch];
    EXPECT_EQ(buffer.bytes, kWanted);
    EXPECT_EQ(buffer.offset % kDeviceAlignment, 0);
    EXPECT_EQ(buffer.first, buffer.last) << "lives during one step";
  }
  EXPECT_EQ(found, 1);
}

// While b runs, which overwrites its input, the scratch is there too; c and d lie where it was.
TEST_F(Scratch, CountsInTheBoundAndOverlapsWithWhatIsDead) {
  const auto bytes = [&](int64_t wanted) { return Build(wanted).devices[0].memory; };
  EXPECT_EQ(bytes(0).lower_bound, 3 * kTensor);  // of c: its input and an output of twice the rows
  const planner::MemoryPlan memory = bytes(kWanted);
  EXPECT_EQ(memory.lower_bound, kTensor + AlignUp(kWanted, kDeviceAlignment));
  EXPECT_EQ(memory.arena_bytes, memory.lower_bound);
  EXPECT_EQ(memory.naive_bytes, bytes(0).naive_bytes + AlignUp(kWanted, kDeviceAlignment));
}

TEST_F(Scratch, IsInTheFile) {
  const PlanStructure plan = Write(Build(kWanted));
  const schema::ProgramT& program = *plan.programs[0];
  int found = 0;
  for (const auto& step : program.regions[0]->steps) {
    if (step->scratch < 0) continue;
    ++found;
    EXPECT_EQ(step->op, schema::OpKind::Unary);
    EXPECT_EQ(program.buffers[step->scratch]->space, 1);
    EXPECT_EQ(program.buffers[step->scratch]->size, kWanted);
  }
  EXPECT_EQ(found, 1);
  // Readers that know nothing of it run the plan without.
  EXPECT_EQ(program.required_features,
            (std::vector<std::string>{kSegmentsFeature, kLayoutsFeature}));
}

TEST_F(Scratch, IsAbsentWhereNoStepWantsAny) {
  const PlanStructure plan = Write(Build(0));
  for (const auto& step : plan.programs[0]->regions[0]->steps) EXPECT_EQ(step->scratch, -1);
}

}  // namespace
}  // namespace linnet::converter
