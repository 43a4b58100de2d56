// SPDX-License-Identifier: Apache-2.0
// Which memory a plan may offer to a step of a device.
#include <gmock/gmock.h>

#include <functional>

#include "converter/graph/text/text.h"
#include "converter/import/mapped_file.h"
#include "converter/place/place_graph.h"
#include "converter/plan/plan_writer.h"
#include "runtime/verify/verify_plan.h"
#include "tests/converter/place/fake_devices.h"
#include "tests/scratch_folder.h"

namespace linnet {
namespace {

using converter::PlanStructure;
using testing::HasSubstr;

constexpr int kDevicesStep = 1;  // between a Copy and another

// A plan with one step on a device, which has scratch memory, after `change`.
class Scratch : public testing::Test {
 protected:
  using Change = std::function<void(schema::ProgramT&, schema::StepT&)>;

  // The error message of opening it; "" when it opens.
  std::string Open(const Change& change) {
    const auto graph =
        converter::LinnetGraph("x = arg f32[16,4] y = Unary(x) {kind: Exp} out = ret(y)");
    converter::Device cpu = converter::CpuAndGpu(Layout::kRows4)[converter::CpuAndGpu().host()];
    converter::Device gpu =
        converter::CpuAndGpu(Layout::kRows4)[converter::CpuAndGpu().FindKey("vulkan")];
    gpu.scratch_bytes = [](const converter::Node&) { return 512; };
    const converter::DeviceSet devices({cpu, gpu});
    std::vector<std::string> notes;
    const auto placed = PlaceGraph({.place = "vulkan"}, devices, graph.get(), &notes);
    EXPECT_TRUE(placed.ok()) << placed.status();
    const converter::PortName port;
    const auto program = converter::BuildProgram(*graph, "key", {&port, 1}, {&port, 1}, {},
                                                 placed->partition, devices);
    EXPECT_TRUE(program.ok()) << program.status();
    converter::BuiltPlan plan = converter::BuildPlan({&*program, 1});
    schema::ProgramT& built = *plan.structure.programs[0];
    change(built, *built.regions[0]->steps[kDevicesStep]);
    const std::string path = folder_ / "plan.linnet";
    EXPECT_TRUE(WritePlan(plan, path, converter::WrittenCheck::kNone).ok());
    file_ = *converter::MapFile(path);
    Diagnostic diagnostic;
    const Status status = VerifyPlan(file_.bytes, region_, &plan_, &diagnostic);
    EXPECT_TRUE(status.ok() || status.code() == StatusCode::kInvalidPlan);
    return status.ok() ? "" : diagnostic.TextOr(status.what());
  }
  // With the scratch memory somewhere else in the device's space.
  std::string OpenAt(int64_t offset, int64_t size) {
    return Open([&](schema::ProgramT& program, schema::StepT& step) {
      program.buffers[step.scratch]->offset = offset;
      program.buffers[step.scratch]->size = size;
    });
  }
  const PlanStep& DevicesStep() const { return plan_.view.programs[0].steps[kDevicesStep]; }

  const ScratchFolder folder_;
  converter::OwnedBytes file_;
  Region region_;
  VerifiedPlan plan_;
};

TEST_F(Scratch, IsWhereThePlanSays) {
  ASSERT_EQ(Open([](auto&, auto&) {}), "");
  const PlanProgram& program = plan_.view.programs[0];
  ASSERT_GE(DevicesStep().scratch, 0);
  const PlanBuffer& buffer = program.buffers[DevicesStep().scratch];
  EXPECT_EQ(buffer.bytes, 512);
  EXPECT_EQ(buffer.space, 1);
  EXPECT_LE(buffer.offset + buffer.bytes, program.spaces[1].bytes);
  EXPECT_EQ(program.steps[0].scratch, -1);
}

TEST_F(Scratch, MayBeMissing) {
  EXPECT_EQ(Open([](auto&, schema::StepT& step) { step.scratch = -1; }), "");
  EXPECT_EQ(DevicesStep().scratch, -1);
  EXPECT_EQ(Open([](auto&, schema::StepT& step) { step.scratch = INT32_MIN; }), "");
  EXPECT_EQ(DevicesStep().scratch, -1);
  EXPECT_EQ(OpenAt(0, 0), "") << "an offer of nothing";
}

TEST_F(Scratch, IsABufferOfTheDevicesSpace) {
  const auto scratch = [&](int32_t buffer) {
    return Open([&](auto&, schema::StepT& step) { step.scratch = buffer; });
  };
  EXPECT_THAT(scratch(INT32_MAX), HasSubstr("no such buffer"));
  EXPECT_THAT(Open([](schema::ProgramT& program, schema::StepT& step) {
                step.scratch = static_cast<int32_t>(program.buffers.size());
              }),
              HasSubstr("no such buffer"));
  EXPECT_THAT(scratch(0), HasSubstr("is not in its device's memory")) << "the host's";
  EXPECT_THAT(OpenAt(1024, 512), HasSubstr("outside its space"));
  EXPECT_THAT(OpenAt(int64_t{1} << 62, 512), HasSubstr("outside its space"));
  EXPECT_THAT(OpenAt(512, INT64_MAX), HasSubstr("outside its space"));
  EXPECT_THAT(OpenAt(512, -256), HasSubstr("outside its space"));
  EXPECT_THAT(OpenAt(128, 128), HasSubstr("is not aligned"));
}

TEST_F(Scratch, OverlapsNoTensorOfItsStep) {
  ASSERT_EQ(OpenAt(0, 256), "");
  const int64_t all = plan_.view.programs[0].spaces[1].bytes;
  EXPECT_THAT(OpenAt(0, all), HasSubstr("overlaps one of its tensors"));
  const auto over = [&](bool input) {
    return Open([&](schema::ProgramT& program, schema::StepT& step) {
      const int32_t tensor = input ? step.inputs[0] : step.outputs[0];
      const schema::BufferT& of = *program.buffers[program.tensors[tensor]->buffer];
      program.buffers[step.scratch]->offset = of.offset;
      program.buffers[step.scratch]->size = 1;
    });
  };
  EXPECT_THAT(over(true), HasSubstr("overlaps one of its tensors"));
  EXPECT_THAT(over(false), HasSubstr("overlaps one of its tensors"));
}

TEST_F(Scratch, BelongsToStepsOfDevicesOnly) {
  EXPECT_THAT(Open([](schema::ProgramT& program, schema::StepT& step) {
                program.regions[0]->steps[0]->scratch = step.scratch;
              }),
              HasSubstr("only a step with an op can have scratch memory"));
  EXPECT_THAT(Open([](schema::ProgramT& program, schema::StepT&) {
                // All on the host, with the host's memory as scratch.
                program.segments.clear();
                auto& steps = program.regions[0]->steps;
                steps[1]->inputs = steps[0]->inputs;
                steps[1]->outputs = steps[2]->outputs;
                steps[1]->scratch = 0;
                steps.pop_back();
                steps.erase(steps.begin());
              }),
              HasSubstr("is not in its device's memory"));
}

}  // namespace
}  // namespace linnet
