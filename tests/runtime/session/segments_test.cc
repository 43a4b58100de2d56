// SPDX-License-Identifier: Apache-2.0
// Plans with steps on two devices: converted for the host and a test device, and run with that
// device.
#include <gmock/gmock.h>

#include <string>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/plan/program.h"
#include "runtime/ops/all_attrs.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/fake_memory.h"
#include "tests/runtime/session/two_devices.h"

namespace linnet {
namespace {

using testing::HasSubstr;

constexpr char kThereAndBack[] = R"(
  x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} d = Unary(c) {kind: Exp}
  out = ret(d))";

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceData
//
// TensorFlow graph row 47: a graph for each device
TEST(Segments, Row47EachDeviceRunsItsGraph) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kThereAndBack));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "vulkan: Copy Unary | Copy Softmax | vulkan: Copy Unary Unary | Copy");
  ExpectSameOutputs(&plan, TextPlan(kThereAndBack));
  EXPECT_EQ(devices.vulkan.counts().steps, 2 * 3);
  EXPECT_EQ(devices.vulkan.counts().inputs, 2 * 2);
  EXPECT_EQ(devices.vulkan.counts().fetches, 2 * 2);
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.SingleDevice
//
// TensorFlow graph row 47: a graph for each device
TEST(Segments, Row47OneDeviceHasNone) {
  EXPECT_EQ(PlacedPlan(kThereAndBack, {}), TextPlan(kThereAndBack));
  Devices devices;
  OpenedPlan plan(TextPlan(kThereAndBack));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "Unary Softmax Unary Unary");
  EXPECT_EQ(plan.program().spaces.size(), 1);
  EXPECT_EQ(plan.session.bytes().devices, 0);
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceData_MultiUse
//
// TensorFlow graph row 48: send and receive
TEST(Segments, Row48AValueIsCopiedOnceForEachDevice) {
  constexpr char kText[] = R"(
    x = arg f32[4] a = Unary(x) {kind: Exp} b = Binary(x, a) {kind: Add}
    s = Softmax(a) t = Softmax(b) u = Binary(s, a) {kind: Sub} v = Binary(u, x) {kind: Sub} w = Binary(t, b) {kind: Mul}
    out = ret(v) two = ret(w) three = ret(a))";
  Devices devices;
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan),
            "vulkan: Copy Unary Binary | Copy Copy Softmax Softmax | vulkan: Copy Copy Binary "
            "Binary Binary | Copy Copy");
  ExpectSameOutputs(&plan, TextPlan(kText));
  EXPECT_EQ(devices.vulkan.counts().inputs, 2 * 3);   // x, s and t
  EXPECT_EQ(devices.vulkan.counts().fetches, 2 * 4);  // a and b, v and w
  EXPECT_EQ(devices.vulkan.counts().bytes_in, 2 * 3 * 16);
}

// What a device may compute without storing it.
TEST(Segments, TellHowOftenOutputsAreRead) {
  constexpr char kText[] = R"(
    x = arg f32[4]
    a = Unary(x) {kind: Exp}
    b = Binary(a, a) {kind: Add}
    c = Unary(b) {kind: Neg}
    d = Binary(b, c) {kind: Mul}
    unread = Unary(d) {kind: Abs}
    later = Unary(b) {kind: Square}
    s = Softmax(c)
    e = Binary(s, later) {kind: Add}
    out = ret(d) two = ret(e))";
  Devices devices;
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(
      Segments(plan),
      "vulkan: Copy Unary Binary Unary Binary Unary Unary | Copy Softmax | vulkan: Copy Binary "
      "| Copy Copy");
  // c and d are copied to the host, another segment reads `later`, and e is an output.
  EXPECT_THAT(devices.vulkan.counts().reads(), testing::ElementsAre(2, 3, -1, -1, 0, -1, -1));
}

// TensorFlow graph row 48: send and receive
TEST(Segments, Row48BetweenDevicesGoesThroughTheHost) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kThereAndBack, {{"a", "vulkan"}, {"c", "npu"}, {"d", "vulkan"}}));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(
      Segments(plan),
      "vulkan: Copy Unary | Copy Softmax | npu: Copy Unary | Copy | vulkan: Copy Unary | Copy");
  ExpectSameOutputs(&plan, TextPlan(kThereAndBack));
  EXPECT_EQ(devices.npu.counts().steps, 2);
  EXPECT_EQ(devices.npu.counts().fetches, 2);
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDevice_DataControl, of
// which the control edge is nothing but the order of the steps
//
// TensorFlow graph row 69: partition
TEST(Segments, Row69ControlEdgesOrder) {
  converter::Graph graph(converter::OpRegistry::Global());
  const converter::Output x{graph.AddArg("x", 0, {DType::kFloat32, {4}}), 0};
  UnaryAttrs exp;
  exp.kind = schema::UnaryKind::Exp;
  converter::Node* last = *graph.AddOp("a", exp, {x});
  converter::Node* first = *graph.AddOp("b", SoftmaxAttrs{}, {x});
  graph.AddControlEdge(first, last);
  graph.AddRetval("ret0", 0, {last, 0});
  graph.AddRetval("ret1", 1, {first, 0});
  Devices devices;
  OpenedPlan plan(PlacedPlan(graph, {{"a", "vulkan"}}));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "Softmax | vulkan: Copy Unary | Copy");
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceLoopFull, where the
// loop is a step of the host and what it reads is copied there once
//
// TensorFlow graph row 47: a graph for each device
TEST(Segments, Row47LoopsAndBranchesRunOnTheHost) {
  constexpr char kText[] = R"(
    x = arg f32[4]
    a = Unary(x) {kind: Exp}
    step = Unary(a) {kind: Neg}
    loop = While(a, step) [
      y = arg f32[4]
      sum = Reduce(y) {kind: Sum, axes: [0], keep_dims: false}
      goes_on = Compare(sum, const f32[] -20) {kind: Greater}
      ret0 = ret(goes_on)
    ] [
      y = arg f32[4]
      step = arg f32[4]
      more = Binary(y, step) {kind: Add}
      ret0 = ret(more)
    ]
    b = Unary(loop) {kind: Tanh}
    sum = Reduce(b) {kind: Sum, axes: [0], keep_dims: false}
    low = Compare(sum, const f32[] 0) {kind: Less}
    choice = If(low, b) [ b = arg f32[4] n = Unary(b) {kind: Neg} r = ret(n) ] [ b = arg f32[4] r = ret(b) ]
    c = Binary(choice, a) {kind: Add}
    out = ret(c))";
  Devices devices;
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(
      Segments(plan),
      "vulkan: Copy Unary Unary | Copy Copy While | vulkan: Copy Unary | Copy Reduce Compare If | "
      "vulkan: Copy Binary | Copy");
  ExpectSameOutputs(&plan, TextPlan(kText));
  EXPECT_EQ(devices.vulkan.counts().steps, 2 * 4);
}

TEST(Segments, DevicesPackConstants) {
  constexpr char kText[] = R"(
    x = arg f32[4]
    a = Binary(x, const f32[4] {1, 2, 3, 4}) {kind: Add}
    b = Binary(const f32[4] {1, 2, 3, 4}, a) {kind: Mul}
    out = ret(b))";
  Devices devices;
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "vulkan: Copy Binary Binary | Copy");
  // Each step's own copy of its constant.
  EXPECT_EQ(plan.session.weights().device_bytes(), 2 * kDeviceAlignment);
  ExpectSameOutputs(&plan, TextPlan(kText));
}

TEST(Segments, StatesAreTheHosts) {
  const auto build = [] { return SumOfRuns(/*doubled=*/true); };
  Devices devices;
  OpenedPlan plan(PlacedPlan(*build(), {{"add", "vulkan"}, {"twice", "vulkan"}}));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "vulkan: Copy Copy Binary Binary | Copy Copy");
  ExpectSameOutputs(&plan, GraphPlan(*build()));
}

TEST(Segments, WhatVariesStaysOnTheHost) {
  converter::Graph graph(converter::OpRegistry::Global());
  const converter::Output x{graph.AddArg("x", 0, {DType::kFloat32, {8}}), 0};
  graph.SetExtents(x, {converter::Extent::OfSymbol(graph.shapes().AddSymbol("n", 1, 8, {}))});
  UnaryAttrs exp;
  exp.kind = schema::UnaryKind::Exp;
  const converter::Output y{*graph.AddOp("y", exp, {x}), 0};
  graph.AddRetval("ret0", 0, y);
  Devices devices;
  OpenedPlan plan(PlacedPlan(graph));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "Unary");
}

// Each space has its own memory plan: of three values only two live at a time on the device, none
// on the host.
TEST(Segments, EachSpaceIsPlannedForItself) {
  constexpr char kText[] = R"(
    x = arg f32[100] a = Binary(x, x) {kind: Add} b = Binary(a, x) {kind: Add} c = Binary(b, a) {kind: Add}
    d = Softmax(c) out = ret(d))";
  Devices devices;
  OpenedPlan plan(PlacedPlan(kText));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  EXPECT_EQ(Segments(plan), "vulkan: Copy Binary Binary Binary | Copy Softmax");
  const auto spaces = plan.program().spaces;
  ASSERT_EQ(spaces.size(), 2);
  for (const PlanSpace& space : spaces) EXPECT_EQ(space.bytes, space.lower_bound);
  EXPECT_EQ(spaces[0].bytes, 2 * 448);  // x, which stays, and beside it c and d at the same place
  // Two values and the scratch memory of a step, by the alignment of a device's memory.
  EXPECT_EQ(spaces[1].bytes, 2 * 512 + 1024);
  for (const PlanBuffer& buffer : plan.program().buffers)
    EXPECT_EQ(buffer.offset % (buffer.space == 0 ? 64 : 256), 0);
  EXPECT_EQ(plan.session.bytes().arena, spaces[0].bytes);
  EXPECT_EQ(plan.session.bytes().devices, spaces[1].bytes);
  ExpectSameOutputs(&plan, TextPlan(kText));
}

TEST(Segments, ADeviceThatIsNotThereIsNamed) {
  const Backend* const host[] = {&portable::GetBackend()};
  OpenedPlan plan(PlacedPlan(kThereAndBack));
  EXPECT_EQ(plan.Open(host).code(), StatusCode::kUnsupported);
  EXPECT_THAT(plan.diagnostic.text, HasSubstr("'vulkan'"));
  EXPECT_THAT(plan.diagnostic.text, HasSubstr("--place cpu"));
}

TEST(Segments, ADeviceOfAnotherLayoutIsNamed) {
  const FakeDevice device({.layout = Layout::kRows4});
  const Backend* const backends[] = {&device, &portable::GetBackend()};
  OpenedPlan plan(PlacedPlan(kThereAndBack));
  EXPECT_EQ(plan.Open(backends).code(), StatusCode::kUnsupported);
  EXPECT_THAT(plan.diagnostic.text, HasSubstr("'vulkan'"));
  EXPECT_THAT(plan.diagnostic.text, HasSubstr("layout"));
}

TEST(Segments, ADeviceThatIsLostEndsTheRun) {
  Devices devices;
  OpenedPlan plan(PlacedPlan(kThereAndBack));
  ASSERT_TRUE(plan.Open(devices.all()).ok()) << plan.diagnostic.text;
  devices.vulkan.Lose();
  const Status status = plan.session.Run();
  EXPECT_EQ(status.code(), StatusCode::kDeviceLost);
  EXPECT_EQ(status.step(), 1);  // the first op of the segment
}

// A damaged plan is refused, or it runs in its own memory: all other code has no access to the
// device's memory.
TEST(Segments, DamagedPlansAreRefusedOrSafe) {
  const std::vector<std::byte> good = PlacedPlan(R"(
    x = arg f32[4] a = Binary(x, const f32[4] {1, 2, 3, 4}) {kind: Add} b = Softmax(a) c = Unary(b) {kind: Neg}
    out = ret(c))");
  FileHeader header;
  std::memcpy(&header, good.data(), sizeof(header));
  Devices devices;
  int opened = 0;
  for (uint64_t at = 0; at < header.structure_bytes; ++at) {
    for (const int change : {0x01, 0x02, 0x10, 0x80, 0xff}) {
      std::vector<std::byte> bad = good;
      bad[header.structure_offset + at] ^= static_cast<std::byte>(change);
      OpenedPlan plan(bad);
      if (!plan.Open(devices.all()).ok()) continue;
      ++opened;
      (void)plan.session.Run();
    }
  }
  EXPECT_GT(opened, 0);
}

// The tests above rely on this protection.
TEST(SegmentsDeathTest, TheDevicesMemoryIsClosed) {
  FakeDevice device;
  Region region;
  DeviceMemory* memory = nullptr;
  ASSERT_TRUE(device.NewMemory(64, 0, region, &memory).ok());
  EXPECT_DEATH(*static_cast<fake::Memory*>(memory)->pages.data() = std::byte{1}, "");
  memory->Destroy();
}

// A device that declares that some of its values are in the host's memory.
TEST(Segments, StepsTouchOneMemoryOnly) {
  converter::Graph graph(converter::OpRegistry::Global());
  const converter::Output x{graph.AddArg("x", 0, {DType::kFloat32, {4}}), 0};
  converter::Node* node = *graph.AddOp("a", SoftmaxAttrs{}, {x});
  graph.AddRetval("ret0", 0, {node, 0});
  std::vector<converter::Device> all;
  const converter::DeviceSet usual = HostAnd({"vulkan"});
  for (const converter::Device& device : usual.all()) {
    all.push_back(device);
    all.back().host_dtypes = {DType::kFloat32};
  }
  const converter::DeviceSet devices(all);
  const converter::Partition partition{{{devices.FindKey("vulkan"), {node}}}, {}};
  const converter::PortName port{"x", "x:0"};
  const auto program =
      converter::BuildProgram(graph, "", {&port, 1}, {&port, 1}, {}, partition, devices);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(program.status().message()), HasSubstr("'a' runs on vulkan"));
}

}  // namespace
}  // namespace linnet
