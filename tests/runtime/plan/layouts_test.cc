// SPDX-License-Identifier: Apache-2.0
// Untrusted plans with a device's space in another layout than dense.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ops/all_attrs.h"
#include "runtime/ops/op_codec.h"
#include "runtime/plan/file_header.h"
#include "runtime/verify/verify_plan.h"
#include "tests/runtime/api/raw_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

constexpr size_t kIn = 0, kDeviceIn = 1, kDeviceOut = 2, kOut = 3;

// Buffer, tensor and step get the next number of their kind.
void AddTensor(schema::ProgramT& program, DType dtype, const Shape& shape, uint8_t space,
               int64_t offset, int64_t size) {
  auto& buffer = *program.buffers.emplace_back(std::make_unique<schema::BufferT>());
  buffer.space = space;
  buffer.offset = offset;
  buffer.size = size;
  auto& tensor = *program.tensors.emplace_back(std::make_unique<schema::TensorT>());
  tensor.dtype = static_cast<schema::DType>(dtype);
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.buffer = static_cast<int32_t>(program.buffers.size()) - 1;
}

schema::StepT& AddStep(schema::ProgramT& program, size_t from, size_t to) {
  auto& step = *program.regions[0]->steps.emplace_back(std::make_unique<schema::StepT>());
  step.control = schema::Control::Copy;
  step.inputs = {static_cast<int32_t>(from)};
  step.outputs = {static_cast<int32_t>(to)};
  return step;
}

void AddSpace(schema::ProgramT& program, int64_t size, const char* device, schema::Layout layout) {
  auto& space = *program.spaces.emplace_back(std::make_unique<schema::SpaceT>());
  space.kind = *device == '\0' ? 0 : 1;
  space.size = size;
  space.device = device;
  space.layout = layout;
}

std::unique_ptr<schema::PortT> Port(size_t tensor) {
  auto port = std::make_unique<schema::PortT>();
  port->tensor = static_cast<int32_t>(tensor);
  return port;
}

// Copy, Reshape on the device from `from` to `to`, Copy. `elements` fit into 512 bytes.
schema::PlanT ReshapePlan(const Shape& from, const Shape& to, DType dtype = DType::kFloat32) {
  schema::PlanT plan;
  auto& program = *plan.programs.emplace_back(std::make_unique<schema::ProgramT>());
  program.required_features = {kSegmentsFeature, kLayoutsFeature};
  AddSpace(program, 1024, "", schema::Layout::Dense);
  AddSpace(program, 1024, "gpu", schema::Layout::Rows4);
  AddTensor(program, dtype, from, 0, 0, 512);
  AddTensor(program, dtype, from, 1, 0, 512);
  AddTensor(program, dtype, to, 1, 512, 512);
  AddTensor(program, dtype, to, 0, 512, 512);
  program.regions.push_back(std::make_unique<schema::RegionT>());
  AddStep(program, kIn, kDeviceIn);
  schema::StepT& step = AddStep(program, kDeviceIn, kDeviceOut);
  step.control = schema::Control::None;
  step.op = schema::OpKind::Reshape;
  ReshapeAttrs reshape;
  reshape.shape = to;
  step.attrs = EncodeAttrs(OpKind::kReshape, &reshape);
  AddStep(program, kDeviceOut, kOut);
  for (const auto& [space, first, count] : {std::tuple{uint8_t{1}, 0, 2}, {uint8_t{0}, 2, 1}}) {
    auto& segment = *program.segments.emplace_back(std::make_unique<schema::SegmentT>());
    segment.backend = space;
    segment.first = static_cast<uint32_t>(first);
    segment.count = static_cast<uint32_t>(count);
  }
  program.signature = std::make_unique<schema::SignatureT>();
  program.signature->inputs.push_back(Port(kIn));
  program.signature->outputs.push_back(Port(kOut));
  return plan;
}

schema::PlanT SmallPlan() { return ReshapePlan({8, 3}, {2, 4, 3}); }

// "" when the plan opens, else why not.
std::string Open(const schema::PlanT& plan, StatusCode* code = nullptr) {
  flatbuffers::FlatBufferBuilder fbb;
  schema::FinishPlanBuffer(fbb, schema::Plan::Pack(fbb, &plan));
  const PlacedBytes file(PlanFileOf(fbb, {}));
  Region region;
  VerifiedPlan verified;
  Diagnostic diagnostic;
  const Status status = VerifyPlan({file.data(), file.size()}, region, &verified, &diagnostic);
  if (code != nullptr) *code = status.code();
  return status.ok() ? "" : diagnostic.TextOr(status.what());
}

// After the change, the plan that opened before it must be refused for this reason.
void Refused(const char* reason, const std::function<void(schema::ProgramT&)>& change) {
  schema::PlanT plan = SmallPlan();
  ASSERT_EQ(Open(plan), "");
  change(*plan.programs[0]);
  EXPECT_NE(Open(plan).find(reason), std::string::npos) << Open(plan);
}

TEST(Layouts, AreWhatFollowsFromTheFile) {
  schema::PlanT plan = SmallPlan();
  flatbuffers::FlatBufferBuilder fbb;
  schema::FinishPlanBuffer(fbb, schema::Plan::Pack(fbb, &plan));
  const PlacedBytes file(PlanFileOf(fbb, {}));
  Region region;
  VerifiedPlan verified;
  ASSERT_TRUE(VerifyPlan({file.data(), file.size()}, region, &verified, nullptr).ok());
  const PlanProgram& program = verified.view.programs[0];
  EXPECT_EQ(program.spaces[0].layout, Layout::kDense);
  EXPECT_EQ(program.spaces[1].layout, Layout::kRows4);
  EXPECT_EQ(program.BytesOf(program.tensors[kIn]), 96);
  EXPECT_EQ(program.BytesOf(program.tensors[kDeviceIn]), 128);
}

TEST(Layouts, UnknownOnesAreRefused) {
  for (const int value : {3, 4, 255})
    Refused("unknown layout", [&](schema::ProgramT& program) {
      program.spaces[1]->layout = static_cast<schema::Layout>(value);
    });
}

TEST(Layouts, AFloatOfRows4HalfHasTwoBytes) {
  schema::PlanT plan = SmallPlan();
  schema::ProgramT& program = *plan.programs[0];
  program.spaces[1]->layout = schema::Layout::Rows4Half;
  program.required_features.emplace_back(kHalfFeature);
  program.buffers[kDeviceIn]->size = 64;
  EXPECT_EQ(Open(plan), "");
  program.buffers[kDeviceIn]->size = 63;
  EXPECT_NE(Open(plan).find("lies outside its buffer"), std::string::npos);
  // Other dtypes have four.
  plan = ReshapePlan({8, 3}, {2, 4, 3}, DType::kInt32);
  plan.programs[0]->spaces[1]->layout = schema::Layout::Rows4Half;
  plan.programs[0]->buffers[kDeviceIn]->size = 127;
  EXPECT_NE(Open(plan).find("lies outside its buffer"), std::string::npos);
}

TEST(Layouts, TheHostsIsDense) {
  Refused("the host's arena must be dense",
          [](schema::ProgramT& program) { program.spaces[0]->layout = schema::Layout::Rows4; });
}

TEST(Layouts, PaddingIsInsideTheBuffer) {
  for (const size_t tensor : {kDeviceIn, kDeviceOut})
    for (const int64_t bytes : {int64_t{0}, int64_t{96}, int64_t{127}})
      Refused("lies outside its buffer",
              [&](schema::ProgramT& program) { program.buffers[tensor]->size = bytes; });
  schema::PlanT plan = SmallPlan();
  plan.programs[0]->buffers[kDeviceIn]->size = 128;
  plan.programs[0]->buffers[kIn]->size = 96;  // dense
  EXPECT_EQ(Open(plan), "");
}

// 2^40 elements, each with three of padding, do not fit into any buffer; their number does not
// overflow.
TEST(Layouts, SizesDoNotOverflow) {
  for (const int64_t size : {int64_t{512}, kMaxSpaceBytes})
    Refused("lies outside its buffer", [&](schema::ProgramT& program) {
      program.spaces[1]->size = kMaxSpaceBytes;
      program.buffers[kDeviceIn]->size = size;
      program.tensors[kDeviceIn]->shape = {kMaxShapeElements, 1};
      program.tensors[kDeviceIn]->offset = 0x7fffffffffffff00;
    });
}

TEST(Layouts, BuffersAndTensorsOfRows4BeginWhereAWindowCan) {
  for (const int64_t offset : {64, 128, 640})
    Refused("lies outside its space or is not aligned", [&](schema::ProgramT& program) {
      program.buffers[kDeviceOut]->size = 128;
      program.buffers[kDeviceOut]->offset = offset;
    });
  for (const int64_t offset : {4, 16, 64, 128, -256})
    Refused("lies outside its buffer or is not aligned",
            [&](schema::ProgramT& program) { program.tensors[kDeviceOut]->offset = offset; });
  schema::PlanT plan = SmallPlan();
  plan.programs[0]->tensors[kDeviceOut]->offset = 256;
  plan.programs[0]->tensors[kIn]->offset = 4;  // dense
  EXPECT_EQ(Open(plan), "");
}

TEST(Layouts, SomeDTypesHavePaddedRows) {
  for (int i = 1; i < kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    for (const Layout layout : {Layout::kRows4, Layout::kRows4Half}) {
      schema::PlanT padded = ReshapePlan({4, 3}, {4, 3}, dtype);
      padded.programs[0]->spaces[1]->layout = static_cast<schema::Layout>(layout);
      const std::string error = Open(padded);
      if (HasForm(layout, dtype))
        EXPECT_EQ(error, "") << DTypeName(dtype);
      else
        EXPECT_NE(error.find("no form for its dtype"), std::string::npos) << error;
    }
    schema::PlanT dense = ReshapePlan({4, 3}, {4, 3}, dtype);
    dense.programs[0]->spaces[1]->layout = schema::Layout::Dense;
    EXPECT_EQ(Open(dense), "") << DTypeName(dtype);
  }
}

TEST(Layouts, AreThoseOfTheStepsWhenTensorsShareMemory) {
  const auto in_place = [](const Shape& from, const Shape& to, schema::Layout layout) {
    schema::PlanT plan = ReshapePlan(from, to);
    plan.programs[0]->spaces[1]->layout = layout;
    plan.programs[0]->buffers[kDeviceOut]->offset = 0;
    return Open(plan);
  };
  EXPECT_EQ(in_place({8, 3}, {2, 4, 3}, schema::Layout::Rows4), "");
  EXPECT_EQ(in_place({8, 3}, {24}, schema::Layout::Dense), "");
  EXPECT_EQ(in_place({8, 3}, {2, 4, 3}, schema::Layout::Rows4Half), "");
  for (const auto padded : {schema::Layout::Rows4, schema::Layout::Rows4Half})
    EXPECT_NE(
        in_place({8, 3}, {24}, padded).find("an output overlaps an input that the op still reads"),
        std::string::npos);
}

TEST(Layouts, AreNamedAsAFeature) {
  schema::PlanT plan = SmallPlan();
  plan.programs[0]->required_features[1] = "layout";
  StatusCode code{};
  EXPECT_NE(Open(plan, &code).find("'layout'"), std::string::npos);
  EXPECT_EQ(code, StatusCode::kUnsupported);
}

}  // namespace
}  // namespace linnet
