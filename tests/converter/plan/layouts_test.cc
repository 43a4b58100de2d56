// SPDX-License-Identifier: Apache-2.0
// Programs with steps on a device whose memory has padded rows.
#include <gtest/gtest.h>

#include <cstring>

#include "converter/place/place_graph.h"
#include "converter/plan/plan_writer.h"
#include "fmt/format.h"
#include "runtime/plan/file_header.h"
#include "tests/converter/place/fake_devices.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

absl::StatusOr<Program> TryBuild(const std::string& text, const DeviceSet& devices) {
  // Programs point into their graphs, which must outlive them.
  static std::vector<std::unique_ptr<Graph>> kept;
  Graph& graph = *kept.emplace_back(LinnetGraph(text));
  std::vector<std::string> notes;
  const auto placed = PlaceGraph({.place = "vulkan"}, devices, &graph, &notes);
  if (!placed.ok()) return placed.status();
  std::vector<PortName> in(static_cast<size_t>(
      std::ranges::count(graph.op_nodes(), NodeClass::kArg, &Node::node_class)));
  std::vector<PortName> out(static_cast<size_t>(
      std::ranges::count(graph.op_nodes(), NodeClass::kRetval, &Node::node_class)));
  return BuildProgram(graph, "key", in, out, {}, placed->partition, devices);
}

Program Build(const std::string& text, Layout layout) {
  absl::StatusOr<Program> program = TryBuild(text, CpuAndGpu(layout));
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

// The file; the runtime must open it.
std::string Write(const Program& program) {
  const ScratchFolder folder;
  const auto written = WritePlan(BuildPlan({&program, 1}), folder / "plan");
  EXPECT_TRUE(written.ok()) << written.status();
  return ReadAll(folder / "plan");
}

// The output of the step that comes from this node; steps are on the device.
const Program::Tensor& Output(const Program& program, const std::string& node) {
  for (const Program::Step& step : program.steps)
    if (!step.is_copy && step.node->name() == node) {
      EXPECT_EQ(step.space, 1) << node;
      return program.tensors[step.outputs[0]];
    }
  ADD_FAILURE() << "no step " << node;
  return program.tensors[0];
}

// How far b lies behind a; -1 when they are in different buffers.
int64_t Distance(const Program& program, const std::string& a, const std::string& b) {
  const Program::Tensor &from = Output(program, a), &to = Output(program, b);
  return from.buffer == to.buffer ? to.offset - from.offset : -1;
}

int64_t DistanceIn(const std::string& text, const std::string& a, const std::string& b,
                   Layout layout) {
  const Program program = Build(text, layout);
  Write(program);
  return Distance(program, a, b);
}

constexpr Layout kDense = Layout::kDense, kRows4 = Layout::kRows4, kHalf = Layout::kRows4Half;

TEST(Layouts, MemoryHasRoomForPadding) {
  // 100 rows of 12 bytes, of 16, or of 8.
  const std::string text = R"(
    x = arg f32[100,3]
    a = Unary(x) {kind: Exp}
    b = Unary(a) {kind: Neg}
    y = ret(b))";
  for (const auto& [layout, bytes, rounded] :
       {std::tuple{kDense, 1200, 1280}, {kRows4, 1600, 1792}, {kHalf, 800, 1024}}) {
    const Program program = Build(text, layout);
    ASSERT_EQ(program.devices.size(), 1u);
    const planner::MemoryPlan& memory = program.devices[0].memory;
    ASSERT_EQ(memory.buffers.size(), 1u);
    EXPECT_EQ(memory.buffers[0].bytes, bytes);
    EXPECT_EQ(memory.lower_bound, rounded);
    EXPECT_EQ(memory.naive_bytes, 3 * rounded);
    // The host's memory is dense: x, which stays, and the result.
    EXPECT_EQ(program.memory.lower_bound, 2 * 1216);
  }
}

TEST(Layouts, AReshapeIsAViewWhereRowsAreEqualOrFull) {
  const auto distance = [](const char* from, const char* to, Layout layout) {
    return DistanceIn(fmt::format(R"(
      x = arg f32[{}]
      a = Unary(x) {{kind: Exp}}
      r = Reshape(a) {{shape: [{}]}}
      b = Binary(r, r) {{kind: Add}}
      y = ret(b)
      z = ret(a))",
                                  from, to),
                      "a", "r", layout);
  };
  EXPECT_EQ(distance("100,8", "50,16", kRows4), 0);
  EXPECT_EQ(distance("100,3", "10,10,3", kRows4), 0);
  EXPECT_EQ(distance("100,3", "300", kDense), 0);
  EXPECT_EQ(distance("100,3", "300", kRows4), -1);
  EXPECT_EQ(distance("100,3", "50,6", kRows4), -1);
  EXPECT_EQ(distance("100,8", "50,16", kHalf), 0);
  EXPECT_EQ(distance("100,3", "300", kHalf), -1);
}

TEST(Layouts, AStepRunsInPlaceWhereElementsAreEquallyLarge) {
  const auto distance = [](const char* op, Layout layout) {
    Device cpu = CpuAndGpu()[CpuAndGpu().host()];
    Device gpu = CpuAndGpu(layout)[CpuAndGpu().FindKey("vulkan")];
    gpu.why_unsupported = [](const Node&) { return std::string(); };
    const auto program =
        TryBuild(fmt::format("x = arg f32[100,4] a = Unary(x) {{kind: Exp}} b = {} y = ret(b)", op),
                 DeviceSet({cpu, gpu}));
    EXPECT_TRUE(program.ok()) << program.status();
    Write(*program);
    return Distance(*program, "a", "b");
  };
  EXPECT_EQ(distance("Unary(a) {kind: Neg}", kHalf), 0);
  EXPECT_EQ(distance("Unary(a) {kind: IsNan}", kRows4), 0);
  EXPECT_EQ(distance("Unary(a) {kind: IsNan}", kHalf), -1);
}

TEST(Layouts, OpsRunInPlaceWhereRowsAreEqual) {
  const auto distance = [](const char* a, const char* b) {
    return DistanceIn(fmt::format(R"(
      x = arg f32[{}]
      w = arg f32[{}]
      a = Unary(x) {{kind: Exp}}
      b = Unary(w) {{kind: Exp}}
      s = Binary(a, b) {{kind: Add}}
      y = ret(s)
      z = ret(b))",
                                  a, b),
                      "a", "s", kRows4);
  };
  EXPECT_EQ(distance("64,3", "64,3"), 0);
  // As many bytes as the sum, but not its elements.
  EXPECT_EQ(distance("64,1", "64,3"), -1);
}

std::string ConcatText(int64_t rows, int64_t columns) {
  return fmt::format(R"(
    x = arg f32[{0},{1}]
    a = Unary(x) {{kind: Exp}}
    b = Unary(x) {{kind: Neg}}
    c = Concat(a, b) {{axis: 0}}
    d = Unary(c) {{kind: Log}}
    y = ret(d))",
                     rows, columns);
}

TEST(Layouts, PartsOfAConcatenationBeginWhereAWindowCan) {
  EXPECT_EQ(DistanceIn(ConcatText(16, 3), "a", "b", kRows4), 256);
  EXPECT_EQ(DistanceIn(ConcatText(17, 3), "c", "a", kRows4), 0);
  EXPECT_EQ(DistanceIn(ConcatText(17, 3), "c", "b", kRows4), -1);
  EXPECT_EQ(DistanceIn(ConcatText(64, 1), "c", "b", kDense), 256);
  // Dense parts too are windows of their own on a device.
  EXPECT_EQ(DistanceIn(ConcatText(16, 3), "c", "b", kDense), -1);
}

TEST(Layouts, SlicesLieInTheirSource) {
  const auto distance = [](const char* whole, const char* begin, const char* size, Layout layout) {
    return DistanceIn(fmt::format(R"(
      x = arg f32[{}]
      a = Unary(x) {{kind: Exp}}
      s = Slice(a) {{begin: [{}], size: [{}], stride: [1, 1]}}
      b = Binary(s, s) {{kind: Add}}
      y = ret(b)
      z = ret(a))",
                                  whole, begin, size),
                      "a", "s", layout);
  };
  EXPECT_EQ(distance("64,3", "16, 0", "8, 3", kRows4), 256);
  EXPECT_EQ(distance("64,3", "15, 0", "8, 3", kRows4), -1);
  EXPECT_EQ(distance("64,4", "16, 0", "8, 4", kDense), 256);
  // One gate of a recurrent cell.
  EXPECT_EQ(distance("1,256", "0, 64", "1, 64", kRows4), 256);
  EXPECT_EQ(distance("2,256", "0, 64", "2, 64", kRows4), -1);
}

// What the planner permits, the verifier must accept: Write opens each plan as the runtime does.
TEST(Layouts, EveryShapeMakesAPlanThatOpens) {
  for (const int64_t rows : {1, 3, 16, 32})
    for (const int64_t columns : {1, 3, 4, 64, 66, 128}) {
      Write(Build(ConcatText(rows, columns), kRows4));
      Write(Build(fmt::format(R"(
        x = arg f32[{0},{1}]
        a = Unary(x) {{kind: Exp}}
        b = Unary(x) {{kind: Neg}}
        c = Concat(a, b, a) {{axis: 1}}
        l = Slice(c) {{begin: [0, {1}], size: [{0}, {1}], stride: [1, 1]}}
        f = Reshape(l) {{shape: [{2}]}}
        g = Reshape(l) {{shape: [{1}, {0}]}}
        h = Binary(g, g) {{kind: Mul}}
        y0 = ret(f)
        y1 = ret(h))",
                              rows, columns, rows * columns),
                  kRows4));
    }
}

TEST(Layouts, AreInTheFileWithTheirFeature) {
  const std::string bytes = Write(Build(ConcatText(16, 3), kRows4));
  const PlanStructure plan = ReadStructure(std::as_bytes(std::span(bytes)));
  const schema::ProgramT& program = *plan.programs[0];
  EXPECT_EQ(program.required_features,
            (std::vector<std::string>{kSegmentsFeature, kLayoutsFeature}));
  ASSERT_EQ(program.spaces.size(), 2u);
  EXPECT_EQ(program.spaces[0]->layout, schema::Layout::Dense);
  EXPECT_EQ(program.spaces[1]->layout, schema::Layout::Rows4);
  // Read and packed again it has the same bytes.
  const flatbuffers::DetachedBuffer packed = PackStructure(plan);
  FileHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(packed.data()), packed.size()),
            std::string_view(bytes).substr(header.structure_offset, header.structure_bytes));

  const std::string half = Write(Build(ConcatText(32, 3), kHalf));
  const PlanStructure half_plan = ReadStructure(std::as_bytes(std::span(half)));
  EXPECT_EQ(half_plan.programs[0]->required_features,
            (std::vector<std::string>{kSegmentsFeature, kLayoutsFeature, kHalfFeature}));
  EXPECT_EQ(half_plan.programs[0]->spaces[1]->layout, schema::Layout::Rows4Half);

  const std::string dense = Write(Build(ConcatText(16, 3), kDense));
  EXPECT_EQ(ReadStructure(std::as_bytes(std::span(dense))).programs[0]->required_features,
            (std::vector<std::string>{kSegmentsFeature}));
}

// A device that claims to run steps on what its memory cannot hold.
TEST(Layouts, AValueWithoutAFormIsAnError) {
  Device cpu = CpuAndGpu()[CpuAndGpu().host()];
  Device gpu = CpuAndGpu()[CpuAndGpu().FindKey("vulkan")];
  gpu.why_unsupported = [](const Node&) { return std::string(); };
  const std::string text = "x = arg i16[4] a = Unary(x) {kind: Neg} y = ret(a)";
  EXPECT_TRUE(TryBuild(text, DeviceSet({cpu, gpu})).ok());
  gpu.layout = kRows4;
  const absl::Status status = TryBuild(text, DeviceSet({cpu, gpu})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("of a dtype that its memory has no form for"),
            std::string_view::npos)
      << status;
}

}  // namespace
}  // namespace linnet::converter
