// SPDX-License-Identifier: Apache-2.0
// Untrusted plans with invalid segments, spaces and copies: each must be refused with the reason.
// The results of valid ones are tested with a fake device (tests/runtime/session).
#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/place/partition.h"
#include "runtime/ops/all_attrs.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/api/forger.h"
#include "tests/runtime/session/placed_plan.h"

namespace linnet {
namespace {

using schema::Segment;
using schema::Space;

// "vulkan: Copy Unary | Copy Softmax | vulkan: Copy Unary | Copy"
std::vector<std::byte> Placed() {
  return PlacedPlan(R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} out = ret(c))");
}
constexpr uint32_t kCopyIn = 0, kOnDevice = 1, kCopyOut = 2, kOnHost = 3, kLast = 6;

const Segment& SegmentOf(const Forger& plan, uint32_t index) {
  return *plan.program().segments()->Get(index);
}
int32_t Input(const Forger& plan, uint32_t step) { return plan.step(0, step).inputs()->Get(0); }
int32_t Output(const Forger& plan, uint32_t step) { return plan.step(0, step).outputs()->Get(0); }

TEST(Segments, AreAcceptedAsTheyAreWritten) { EXPECT_EQ(Forger(Placed()).Open(), ""); }

TEST(Segments, FollowEachOther) {
  for (const uint32_t first : {1u, 3u, UINT32_MAX}) {
    const Forger plan(Placed());
    Forger::SetField(SegmentOf(plan, 1), Segment::VT_FIRST, first);
    EXPECT_REFUSED(plan, "does not begin where the one before ends");
  }
  for (const uint32_t count : {0u, 1u, 3u, UINT32_MAX}) {
    const Forger plan(Placed());
    Forger::SetField(SegmentOf(plan, 1), Segment::VT_COUNT, count);
    EXPECT_REFUSED(plan, "does not begin where the one before ends");
  }
}

TEST(Segments, HoldAllSteps) {
  const Forger plan(TextPlan(R"(
    x = arg f32[4] a = Softmax(x) b = Softmax(a) out = ret(b))"));
  EXPECT_EQ(plan.program().segments(), nullptr);
  const Forger placed(
      PlacedPlan("x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(x) {kind: Neg} out = ret(a) "
                 "two = ret(b)"));
  ASSERT_EQ(placed.program().segments()->size(), 2);
  Forger::SetField(SegmentOf(placed, 1), Segment::VT_COUNT, 1u);
  EXPECT_REFUSED(placed, "do not contain all steps");
}

TEST(Segments, WantASpace) {
  for (const uint8_t space : {2, 255}) {
    const Forger plan(Placed());
    Forger::SetField(SegmentOf(plan, 0), Segment::VT_BACKEND, space);
    EXPECT_REFUSED(plan, "no such space");
  }
}

TEST(Segments, StepsStayInTheirMemory) {
  const Forger reads(Placed());
  Forger::Set(reads.step(0, kOnDevice).inputs(), 0, Input(reads, kCopyIn));
  EXPECT_REFUSED(reads, "reads from another device's memory");
  const Forger host(Placed());
  Forger::Set(host.step(0, kOnHost).inputs(), 0, Input(host, kCopyOut));
  EXPECT_REFUSED(host, "reads from another device's memory");
  const Forger writes(Placed());
  Forger::Set(writes.step(0, kOnDevice).outputs(), 0, Output(writes, kOnHost));
  EXPECT_REFUSED(writes, "writes to another device's memory");
  const Forger moved(Placed());
  Forger::SetField(SegmentOf(moved, 2), Segment::VT_BACKEND, uint8_t{0});
  EXPECT_REFUSED(moved, "writes to another device's memory");
}

TEST(Segments, InputsAndOutputsAreOnTheHost) {
  const Forger output(Placed());
  Forger::SetField(*output.program().signature()->outputs()->Get(0), schema::Port::VT_TENSOR,
                   Input(output, kLast));
  EXPECT_REFUSED(output, "not in the host's memory");
  const Forger input(Placed());
  const auto& x = *input.program().tensors()->Get(static_cast<uint32_t>(Input(input, kCopyIn)));
  const auto& copy = *input.program().tensors()->Get(static_cast<uint32_t>(Output(input, kCopyIn)));
  Forger::SetField(x, schema::Tensor::VT_BUFFER, copy.buffer());
  EXPECT_REFUSED(input, "not in the host's memory");
}

TEST(Copies, ConnectTheHostAndADevice) {
  const Forger same(Placed());
  Forger::Set(same.step(0, kCopyOut).inputs(), 0, Input(same, kCopyIn));
  EXPECT_REFUSED(same, "is not between the host and another device");
  const Forger back(Placed());
  Forger::Set(back.step(0, kCopyIn).outputs(), 0, Output(back, kLast));
  EXPECT_REFUSED(back, "writes to another device's memory");
}

TEST(Copies, ReadWhatIsWrittenAndWriteItOnce) {
  const Forger early(Placed());
  Forger::Set(early.step(0, kCopyOut).inputs(), 0, Input(early, kLast));
  EXPECT_REFUSED(early, "reads a weight or a tensor that nothing has written");
  const Forger twice(Placed());
  Forger::Set(twice.step(0, kLast).outputs(), 0, Output(twice, kCopyOut));
  EXPECT_REFUSED(twice, "writes a weight or a tensor that is written already");
}

TEST(Copies, ConnectTensorsOfOneType) {
  const Forger plan(Placed());
  const auto& tensor = *plan.program().tensors()->Get(static_cast<uint32_t>(Output(plan, kLast)));
  for (const int64_t elements : {int64_t{3}, int64_t{5}}) {
    std::memcpy(const_cast<uint8_t*>(tensor.shape()->Data()), &elements, sizeof(elements));
    EXPECT_NE(plan.Open(), "");
  }
  const int64_t fewer = 3;
  std::memcpy(const_cast<uint8_t*>(tensor.shape()->Data()), &fewer, sizeof(fewer));
  EXPECT_REFUSED(plan, "copies between tensors of different or varying types");
}

TEST(Copies, HaveAsManyOutputsAsInputs) {
  const Forger plan(Placed());
  Forger::SetSize(plan.step(0, kCopyIn).inputs(), 0);
  EXPECT_REFUSED(plan, "must have as many outputs as inputs");
}

TEST(Copies, DoNotRunInRegions) {
  const Forger plan(TextPlan(R"(
    p = arg bool[] x = arg f32[]
    choice = If(p, x) [ x = arg f32[] n = Unary(x) {kind: Neg} r = ret(n) ] [ x = arg f32[] r = ret(x) ]
    out = ret(choice))"));
  // An If without regions, and a copy with regions.
  Forger::SetControl(plan.step(0, 0), static_cast<uint8_t>(schema::Control::Copy));
  EXPECT_REFUSED(plan, "wrong number of regions");
}

TEST(Spaces, BeginWithTheHost) {
  const Forger kind(Placed());
  Forger::SetField(*kind.program().spaces()->Get(1), Space::VT_KIND, uint8_t{0});
  EXPECT_REFUSED(kind, "want the host's arena, then");
  const Forger name(Placed());
  const flatbuffers::String& device = *name.program().spaces()->Get(1)->device();
  ASSERT_EQ(device.str(), "vulkan");
  const_cast<char*>(device.c_str())[0] = '\0';
  EXPECT_REFUSED(name, "want the host's arena, then");
}

TEST(Spaces, HaveTheirBuffersInside) {
  const Forger small(Placed());
  Forger::SetField(*small.program().spaces()->Get(1), Space::VT_SIZE, int64_t{15});
  EXPECT_REFUSED(small, "lies outside its space");
  const Forger large(Placed());
  Forger::SetField(*large.program().spaces()->Get(1), Space::VT_SIZE, kMaxSpaceBytes + 1);
  EXPECT_REFUSED(large, "of a size in range");
  const Forger none(Placed());
  for (const schema::Buffer* buffer : *none.program().buffers())
    if (buffer->space() == 1) Forger::SetField(*buffer, schema::Buffer::VT_SPACE, uint8_t{2});
  EXPECT_REFUSED(none, "lies outside its space");
}

// A choice between constants, which claims to run on a device; nothing that it reads contradicts
// that.
TEST(Segments, OnlyTheHostRunsOtherSteps) {
  const Forger plan(PlacedPlan(R"(
    x = arg f32[4]
    a = Unary(x) {kind: Exp}
    choice = If(const bool[] true) [ c = const f32[4] {1, 2, 3, 4} r = ret(c) ] [ c = const f32[4] {4, 3, 2, 1} r = ret(c) ]
    b = Binary(a, choice) {kind: Add}
    out = ret(b))"));
  ASSERT_EQ(plan.Open(), "");
  ASSERT_EQ(plan.step(0, 2).control(), schema::Control::If);
  const auto& choice = *plan.program().tensors()->Get(static_cast<uint32_t>(Output(plan, 2)));
  const auto& on_device = *plan.program().tensors()->Get(static_cast<uint32_t>(Output(plan, 0)));
  Forger::SetField(choice, schema::Tensor::VT_BUFFER, on_device.buffer());
  Forger::SetField(SegmentOf(plan, 0), Segment::VT_COUNT, 3u);
  Forger::SetField(SegmentOf(plan, 1), Segment::VT_FIRST, 3u);
  Forger::SetField(SegmentOf(plan, 2), Segment::VT_FIRST, 4u);
  Forger::SetField(SegmentOf(plan, 2), Segment::VT_COUNT, 1u);
  EXPECT_REFUSED(plan, "While and If can run only on the host");
}

// Partitions that the placer would never make.
TEST(Segments, WhatVariesIsOnTheHost) {
  const converter::DeviceSet devices = HostAnd({"vulkan"});
  const int host = devices.FindKey("cpu"), vulkan = devices.FindKey("vulkan");
  converter::Graph copied(converter::OpRegistry::Global());
  const converter::Output x{copied.AddArg("x", 0, {DType::kFloat32, {8}}), 0};
  copied.SetExtents(x, {converter::Extent::OfSymbol(copied.shapes().AddSymbol("n", 1, 8, {}))});
  UnaryAttrs exp;
  exp.kind = schema::UnaryKind::Exp;
  converter::Node* y = *copied.AddOp("y", exp, {x});
  copied.AddRetval("ret", 0, {y, 0});
  const Forger copy(GraphPlan(
      copied, {{{vulkan, {y}}}, {{x.node, 0, host, vulkan, 32, 0}, {y, 0, vulkan, host, 32, 1}}},
      devices));
  EXPECT_REFUSED(copy, "copies between tensors of different or varying types");

  converter::Graph set(converter::OpRegistry::Global());
  converter::Node* keep = set.AddArg("keep", 0, {DType::kBool, {8}});
  converter::Node* where = *set.AddOp("where", WhereAttrs{}, {{keep, 0}});
  SliceAttrs first;
  first.begin = {0, 0};
  first.size = {8, 1};
  first.stride = {1, 1};
  converter::OpAttrs attrs = first;
  attrs.Vary(0, converter::Extent::OfSymbol(set.shapes().AddSymbol("m", 0, 8, {where, 1, 0})));
  converter::Node* found = *set.AddOp("found", attrs, {{where, 0}});
  set.AddRetval("ret", 0, {found, 0});
  const Forger step(GraphPlan(set,
                              {{{vulkan, {where}}, {host, {found}}},
                               {{keep, 0, host, vulkan, 8, 0}, {where, 0, vulkan, host, 64, 1}}},
                              devices));
  EXPECT_REFUSED(step, "extents can vary only on the host");
}

TEST(Segments, AreNamedAsAFeature) {
  const Forger plan(Placed());
  const auto* name = plan.program().required_features()->Get(0);
  ASSERT_EQ(name->str(), "segments");
  *const_cast<char*>(name->c_str()) = 'x';
  linnet_status status;
  EXPECT_NE(plan.Open(&status).find("'xegments'"), std::string::npos);
  EXPECT_EQ(status, LINNET_UNSUPPORTED);
}

TEST(Segments, WantTheirDevice) {
  const PlacedBytes bytes(Placed());
  linnet_plan* plan = nullptr;
  linnet_error error{};
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, &error), LINNET_OK)
      << error.text;
  linnet_session* session = nullptr;
  EXPECT_EQ(linnet_session_create(plan, nullptr, &session, &error), LINNET_UNSUPPORTED);
  EXPECT_NE(std::string(error.text).find("the device 'vulkan'"), std::string::npos) << error.text;
  EXPECT_NE(std::string(error.text).find("--place cpu"), std::string::npos) << error.text;
  linnet_plan_close(plan);
}

}  // namespace
}  // namespace linnet
