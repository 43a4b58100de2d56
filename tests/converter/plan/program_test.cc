// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/program.h"

#include <gtest/gtest.h>

#include "converter/graph/text/text.h"
#include "fmt/format.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

Program Build(const std::string& text, int inputs, int outputs) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  std::vector<PortName> in, out;
  for (int i = 0; i < inputs; ++i) in.push_back({"in" + std::to_string(i), "x:0"});
  for (int i = 0; i < outputs; ++i) out.push_back({"out" + std::to_string(i), "y:0"});
  // Programs point into their graphs, which must outlive them.
  static std::vector<std::unique_ptr<Graph>> kept;
  kept.push_back(std::move(*graph));
  auto program = BuildProgram(*kept.back(), "key", in, out);
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

TEST(BuildProgram, EqualConstantsShareOneWeight) {
  const Program program = Build(R"(
x = arg f32[4]
a = Binary(x, const f32[4] {1, 2, 3, 4}) {kind: Mul}
b = Binary(a, const f32[4] {1, 2, 3, 4}) {kind: Maximum}
y = ret(b)
)",
                                1, 1);
  EXPECT_EQ(program.weights.size(), 1u);
  ASSERT_EQ(program.steps.size(), 2u);
  EXPECT_EQ(program.key, "key");
  EXPECT_EQ(program.inputs[0].name.name, "in0");
  EXPECT_EQ(program.outputs[0].tensor, program.steps[1].outputs[0]);
}

TEST(BuildProgram, ReshapeSharesItsInputsMemory) {
  const Program program = Build(R"(
x = arg f32[4,2]
a = Unary(x) {kind: Exp}
r = Reshape(a) {shape: [8]}
b = Unary(r) {kind: Log}
y = ret(b)
)",
                                1, 1);
  const auto& reshape = program.steps[1];
  EXPECT_EQ(program.tensors[reshape.inputs[0]].buffer, program.tensors[reshape.outputs[0]].buffer);
  EXPECT_EQ(program.tensors[reshape.inputs[0]].offset, program.tensors[reshape.outputs[0]].offset);
}

// Each tensor of this chain has the largest number of elements that a shape may have.
TEST(BuildProgram, MoreMemoryThanAPlanMayHaveIsAnError) {
  static_assert(kMaxShapeElements == 1099511627776);
  std::string text = "v0 = arg f32[1099511627776]\n";
  for (int64_t i = 0; i < kMaxSpaceBytes / (4 * kMaxShapeElements); ++i)
    text += fmt::format("v{} = Unary(v{}) {{kind: Exp}}\n", i + 1, i);
  text += "y = ret(v1)";
  auto graph = ParseGraph(text);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const PortName port{"x", "x:0"};
  const auto program = BuildProgram(**graph, "key", {&port, 1}, {&port, 1});
  ASSERT_FALSE(program.ok()) << text;
  EXPECT_TRUE(absl::IsInvalidArgument(program.status())) << program.status();
}

TEST(BuildProgram, InputCanBeAnOutput) {
  const Program program = Build(R"(
x = arg f32[4]
y = ret(x)
)",
                                1, 1);
  EXPECT_TRUE(program.steps.empty());
  EXPECT_EQ(program.inputs[0].tensor, program.outputs[0].tensor);
}

TEST(BuildProgram, ConstantCanBeAnOutput) {
  const Program program = Build(R"(
c = const f32[2] {1, 2}
y = ret(c)
)",
                                0, 1);
  EXPECT_EQ(program.tensors[program.outputs[0].tensor].weight, 0);
}

// Offsets are absolute in the arena.
int64_t OffsetOf(const Program& program, int tensor) {
  const Program::Tensor& info = program.tensors[tensor];
  return program.memory.buffers[info.buffer].offset + info.offset;
}

// Of the tensors that steps of the program write, those that overlap input 0.
int NumOverInput(const Program& program) {
  const auto begin = [&](int tensor) { return OffsetOf(program, tensor); };
  const auto end = [&](int tensor) {
    return begin(tensor) + program.tensors[static_cast<size_t>(tensor)].type.bytes();
  };
  const int input = program.inputs[0].tensor;
  int count = 0;
  for (const Program::Step& step : program.steps)
    for (const int output : step.outputs)
      if (begin(output) < end(input) && begin(input) < end(output)) ++count;
  return count;
}

TEST(BuildProgram, InputsAreScratchUnlessTheyAreKept) {
  const auto graph = ParseGraph(R"(
x = arg f32[64]
a = Unary(x) {kind: Exp}
b = Unary(a) {kind: Neg}
y = ret(b)
)");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const PortName port{"x", "x:0"};
  for (const bool keep : {false, true}) {
    const auto program = BuildProgram(**graph, "key", {&port, 1}, {&port, 1}, {}, {}, DeviceSet({}),
                                      {.keep_inputs = keep});
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_EQ(NumOverInput(*program), keep ? 0 : 2);
    EXPECT_EQ(program->memory.arena_bytes, keep ? 512 : 256);
    EXPECT_EQ(program->memory.lower_bound, program->memory.arena_bytes);
  }
}

TEST(BuildProgram, BranchesShareMemory) {
  const Program program = Build(R"(
p = arg bool[]
x = arg f32[64]
choice = If(p, x) [
  x = arg f32[64]
  a = Reduce(x) {kind: Sum, axes: [0]}
  b = BroadcastTo(a) {shape: [1024]}
  c = Reduce(b) {kind: Sum, axes: [0], keep_dims: false}
  r = ret(c)
] [
  x = arg f32[64]
  a = Reduce(x) {kind: Max, axes: [0]}
  b = BroadcastTo(a) {shape: [1000]}
  c = Reduce(b) {kind: Max, axes: [0], keep_dims: false}
  r = ret(c)
]
y = ret(choice)
)",
                                2, 1);
  ASSERT_EQ(program.regions.size(), 2u);
  EXPECT_EQ(program.steps[0].regions, (std::vector<int>{1, 2}));
  EXPECT_EQ(program.regions[0].steps.size(), 3u);
  // The larger branch (1024 floats and two scalars, of which one may overwrite the other), x, p and
  // y.
  EXPECT_EQ(program.memory.arena_bytes, 4096 + 64 + 256 + 64 + 64);
  EXPECT_EQ(program.memory.lower_bound, program.memory.arena_bytes);
}

TEST(BuildProgram, VariablesAreTheOutputsAndBeginInPlace) {
  const Program program = Build(R"(
x = arg f32[4]
w = arg f32[4]
a = Unary(x) {kind: Exp}
loop = While(const i32[] 9, a, w) [
  n = arg i32[]
  more = Compare(n, const i32[] 0) {kind: Greater}
  r = ret(more)
] [
  n = arg i32[]
  y = arg f32[4]
  w = arg f32[4]
  less = Binary(n, const i32[] 1) {kind: Sub}
  sum = Binary(y, w) {kind: Add}
  ret0 = ret(less)
  ret1 = ret(sum)
]
y = ret(loop:1)
)",
                                2, 1);
  const Program::Step& loop = program.steps[1];
  // First values come first, then what the regions read in addition: w, but not the constant.
  ASSERT_EQ(loop.inputs.size(), 3u);
  EXPECT_EQ(loop.inputs[1], program.steps[0].outputs[0]);
  EXPECT_EQ(loop.inputs[2], program.inputs[1].tensor);
  EXPECT_EQ(OffsetOf(program, loop.inputs[1]), OffsetOf(program, loop.outputs[1]));
  const Program::Region& body = program.regions[1];
  const Program::Step& sum = body.steps[body.steps[0].node->name() == "sum" ? 0 : 1];
  EXPECT_EQ(sum.inputs, (std::vector<int>{loop.outputs[1], loop.inputs[2]}));
  EXPECT_EQ(body.results[1], sum.outputs[0]);
  EXPECT_EQ(OffsetOf(program, sum.outputs[0]), OffsetOf(program, loop.outputs[1]));
}

// Does a loop that writes `value` to its rows, one element at a time, write in place? `read` is a
// line of its body.
bool WritesInPlace(std::string_view read, std::string_view value) {
  const Program program = Build(fmt::format(R"(
n = arg i32[]
i = arg i32[1,1]
u = arg f32[1,4]
zeros = const f32[100,4] fill=0
loop = While(n, zeros, i, u) [
  n = arg i32[]
  more = Compare(n, const i32[] 0) {{kind: Greater}}
  r = ret(more)
] [
  n = arg i32[]
  rows = arg f32[100,4]
  i = arg i32[1,1]
  u = arg f32[1,4]
  less = Binary(n, const i32[] 1) {{kind: Sub}}
  {}
  next = Scatter(rows, i, {}) {{kind: Update}}
  ret0 = ret(less)
  ret1 = ret(next)
]
y = ret(loop:1)
)",
                                            read, value),
                                3, 1);
  const int rows = program.steps[0].outputs[1], next = program.regions[1].results[1];
  EXPECT_NE(rows, next);
  return OffsetOf(program, rows) == OffsetOf(program, next);
}

TEST(BuildProgram, ALoopChangesItsVariableInPlace) {
  EXPECT_TRUE(WritesInPlace("", "u"));
  // Other readers may come later.
  EXPECT_FALSE(WritesInPlace("a = Slice(rows) {begin: [0,0], size: [1,4], stride: [1,1]}", "a"));
}

TEST(BuildProgram, AFirstValueThatIsReadLaterStays) {
  const Program program = Build(R"(
x = arg f32[4]
a = Unary(x) {kind: Exp}
loop = While(a, a) [
  y = arg f32[4]
  s = Reduce(y) {kind: Sum, axes: [0], keep_dims: false}
  more = Compare(s, const f32[] 0) {kind: Greater}
  r = ret(more)
] [
  y = arg f32[4]
  a = arg f32[4]
  d = Binary(y, a) {kind: Sub}
  r = ret(d)
]
y = ret(loop)
)",
                                1, 1);
  const Program::Step& loop = program.steps[1];
  EXPECT_EQ(loop.inputs[0], loop.inputs[1]);
  EXPECT_NE(OffsetOf(program, loop.inputs[0]), OffsetOf(program, loop.outputs[0]));
}

}  // namespace
}  // namespace linnet::converter
