// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/program.h"

#include <gtest/gtest.h>

#include "converter/graph/text.h"

namespace linnet::converter {
namespace {

Program Build(const std::string& text, int inputs, int outputs) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  std::vector<PortName> in, out;
  for (int i = 0; i < inputs; ++i) in.push_back({"in" + std::to_string(i), "x:0"});
  for (int i = 0; i < outputs; ++i) out.push_back({"out" + std::to_string(i), "y:0"});
  static std::vector<std::unique_ptr<Graph>> kept;  // programs point into their graphs
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

TEST(BuildProgram, MoreMemoryThanAPlanMayHaveIsAnError) {
  for (const char* text :
       {"x = arg i32[1115317107425300]\ny = ret(x)", "x = arg f64[4611686018427387904]\ny = ret(x)",
        "x = arg f32[10000000000000]\na = Unary(x) {kind: Exp}\ny = ret(a)"}) {
    auto graph = ParseGraph(text);
    ASSERT_TRUE(graph.ok()) << graph.status();
    const PortName port{"x", "x:0"};
    const auto program = BuildProgram(**graph, "key", {&port, 1}, {&port, 1});
    ASSERT_FALSE(program.ok()) << text;
    EXPECT_TRUE(absl::IsInvalidArgument(program.status())) << program.status();
  }
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

}  // namespace
}  // namespace linnet::converter
