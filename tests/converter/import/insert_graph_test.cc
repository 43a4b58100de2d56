// SPDX-License-Identifier: Apache-2.0
// Inserting a GraphDef into a graph that has nodes: mapped inputs, control dependencies, returned
// tensors.
#include "tests/converter/import/insert_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/tensorflow/function_library.h"
#include "tests/converter/import/insert_fixture.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kTwoMuls = R"(
  node { name: "new_input" op: "TestInput" }
  node { name: "t1" op: "TestMul" input: ["new_input:0", "new_input:1"] }
  node { name: "t2" op: "TestMul" input: ["t1:0", "t1:0"] })";

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMap
TEST_F(InsertTest, MappedInputsReadTheGraph) {
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }"), "");
  ASSERT_EQ(Insert(kTwoMuls, {.input_map = {{{"new_input", 0}, {"input", 1}},
                                            {{"new_input", 1}, {"input", 0}}}}),
            "");
  EXPECT_EQ(Text(),
            "input = tf.TestInput()\nnew_input = tf.TestInput()\nt1 = tf.TestMul(input:1, input)\n"
            "t2 = tf.TestMul(t1, t1)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapWithPrefix
TEST_F(InsertTest, MappedInputsOfTheSameName) {
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }"), "");
  ASSERT_EQ(Insert(R"(node { name: "input" op: "TestInput" }
                      node { name: "other" op: "TestInput" }
                      node { name: "t1" op: "TestMul" input: ["input:0", "input:1"] }
                      node { name: "t2" op: "TestMul" input: ["other:0", "other:1"] })",
                   {.prefix = "import",
                    .input_map = {{{"input", 0}, {"input", 0}}, {{"input", 1}, {"input", 0}}}}),
            "");
  EXPECT_EQ(Text(),
            "input = tf.TestInput()\nimport/input = tf.TestInput()\n"
            "import/other = tf.TestInput()\nimport/t1 = tf.TestMul(input, input)\n"
            "import/t2 = tf.TestMul(import/other, import/other:1)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapWithControlEdges
TEST_F(InsertTest, MappedControlEdgesMerge) {
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' }"), "");
  ASSERT_EQ(Insert(R"(node { name: "W2" op: "TestParams" } node { name: "W3" op: "TestParams" }
                      node { name: "input" op: "TestInput" input: "^W2" }
                      node { name: "t1" op: "OneInputTwoOutputs" input: "W2" }
                      node { name: "t2" op: "OneInputTwoOutputs" input: ["input", "^W2", "^W3"] })",
                   {.input_map = {{{"W2", -1}, {"W1", -1}}, {{"W3", -1}, {"W1", -1}}}}),
            "");
  const std::string first =
      "W1 = tf.TestParams()\nW2 = tf.TestParams()\nW3 = tf.TestParams()\n"
      "input = tf.TestInput(^W1)\nt1 = tf.OneInputTwoOutputs(W2)\n"
      "t2 = tf.OneInputTwoOutputs(input, ^W1)\n";
  EXPECT_EQ(Text(), first);
  EXPECT_EQ(graph_.FindNode("t2")->in_edges().size(), 2u);
  ASSERT_EQ(Insert(R"(node { name: "W1" op: "TestParams" }
                      node { name: "input" op: "TestInput" input: "^W1" }
                      node { name: "t1" op: "OneInputTwoOutputs" input: "W1" })",
                   {.prefix = "import", .input_map = {{{"W1", -1}, {"W1", -1}}}}),
            "");
  EXPECT_EQ(Text(), first +
                        "import/W1 = tf.TestParams()\nimport/input = tf.TestInput(^W1)\n"
                        "import/t1 = tf.OneInputTwoOutputs(import/W1)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapWithBadControlEdge
TEST_F(InsertTest, ControlAndDataDoNotMap) {
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' }"), "");
  const std::string graph_def =
      "node { name: 'W2' op: 'TestParams' } node { name: 'input' op: 'TestInput' input: '^W2' }";
  EXPECT_EQ(Insert(graph_def, {.input_map = {{{"W2", -1}, {"W1", 0}}}}),
            "input_map entry ^W2->W1:0 between control edge and non-control edge");
  EXPECT_EQ(Insert(graph_def, {.input_map = {{{"W2", 0}, {"W1", -1}}}}),
            "input_map entry W2:0->^W1 between control edge and non-control edge");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapWithInvalidNodeIndex
TEST_F(InsertTest, MappedToAnOutputThatIsNotThere) {
  ASSERT_EQ(Insert("node { name: 'input1' op: 'TestInput' }"), "");
  EXPECT_EQ(Insert(R"(node { name: "input2" op: "TestInput" }
                      node { name: "t1" op: "TestMul" input: ["input2:0", "input2:1"] })",
                   {.input_map = {{{"input2", 0}, {"input1", 3}}}}),
            "Node 't1': Connecting to invalid output 3 of source node input1 which has 2 outputs.");
  EXPECT_THAT(Insert("node { name: 't1' op: 'TestMul' input: ['x', 'x'] }",
                     {.input_map = {{{"x", 0}, {"_SOURCE", 0}}}}),
              HasSubstr("invalid output 0 of source node _SOURCE which has 0 outputs."));
  EXPECT_EQ(Text(), "input1 = tf.TestInput()\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapWithMissingEntries
TEST_F(InsertTest, MappedToANodeThatIsNotThere) {
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' }"), "");
  EXPECT_EQ(Insert(R"(node { name: "W2" op: "TestParams" }
                      node { name: "input" op: "TestInput" input: "^W2" })",
                   {.input_map = {{{"W2", -1}, {"DNE", -1}}}}),
            "node 'DNE' in input_map does not exist in graph (input_map entry: ^W2->^DNE)");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapDuplicateNodeNames
TEST_F(InsertTest, MappedToOneOfTwoNodes) {
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(graph_.AddNode(Def("dup", "TestInput")).ok());
  EXPECT_EQ(Insert(kTwoMuls, {.input_map = {{{"new_input", 0}, {"dup", 0}}}}),
            "cannot resolve input_map because multiple nodes exist with name 'dup'");
  EXPECT_EQ(Insert(kTwoMuls, {.control_dependencies = {"dup"}}),
            "cannot resolve control_dependencies because multiple nodes exist with name 'dup'");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapMissingUnusedKeys
TEST_F(InsertTest, KeysThatAreUnreadOrUnknown) {
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' } node { name: 'input' op: 'TestInput' }"),
            "");
  EXPECT_THAT(inserted_.unused_inputs, IsEmpty());
  ASSERT_EQ(Insert(R"(node { name: "W2" op: "TestParams" }
                      node { name: "new_input" op: "TestInput" input: "^W2" }
                      node { name: "t1" op: "TestMul" input: ["new_input:0", "new_input:1"] }
                      node { name: "variadic" op: "TestVariadicOutput"
                             attr { key: "N" value { i: 5 } } })",
                   {.input_map = {{{"W2", -1}, {"W1", -1}},
                                  {{"new_input", 0}, {"input", 0}},
                                  {{"new_input", 1}, {"input", 0}},
                                  {{"new_input", 3}, {"input", 0}},
                                  {{"DNE", 0}, {"input", 0}},
                                  {{"t1", 0}, {"W1", 0}},
                                  {{"variadic", 4}, {"input", 0}}}}),
            "");
  EXPECT_THAT(inserted_.unused_inputs, ElementsAre(TensorId("DNE", 0), TensorId("new_input", 3)));
  ASSERT_EQ(Insert(R"(node { name: "W2" op: "TestParams" }
                      node { name: "new_input" op: "TestInput" input: "^W2" }
                      node { name: "t1" op: "TestMul" input: ["new_input:0", "new_input:1"] })",
                   {.prefix = "import",
                    .input_map = {{{"new_input", 0}, {"input", 0}},
                                  {{"new_input", 1}, {"input", 1}},
                                  {{"new_input", 2}, {"input", 1}}},
                    .skip_mapped_nodes = true}),
            "");
  EXPECT_THAT(inserted_.unused_inputs, ElementsAre(TensorId("new_input", 2)));
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_InputMapWithUnboundInput
TEST_F(InsertTest, MappedInputsNeedNoNode) {
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }"), "");
  ASSERT_EQ(
      Insert(R"(node { name: "t1" op: "TestMul" input: ["new_input:0", "new_input:1"] }
                      node { name: "t2" op: "TestMul" input: ["t1:0", "t1:0"] })",
             {.input_map = {{{"new_input", 0}, {"input", 1}}, {{"new_input", 1}, {"input", 0}}}}),
      "");
  EXPECT_EQ(Text(),
            "input = tf.TestInput()\nt1 = tf.TestMul(input:1, input)\nt2 = tf.TestMul(t1, t1)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_SkipMappedNodes_FullyMapped
TEST_F(InsertTest, NodesWithoutReadersStayOut) {
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }"), "");
  const InsertOptions options = {
      .input_map = {{{"new_input", 0}, {"input", 1}}, {{"new_input", 1}, {"input", 0}}},
      .skip_mapped_nodes = true};
  ASSERT_EQ(Insert(kTwoMuls, options), "");
  EXPECT_EQ(Text(),
            "input = tf.TestInput()\nt1 = tf.TestMul(input:1, input)\nt2 = tf.TestMul(t1, t1)\n");
  EXPECT_EQ(Insert("node { name: 'new_input' op: 'TestInput' }"
                   "node { name: 'late' op: 'TestParams' input: '^new_input' }",
                   options),
            "Node 'late' reads '^new_input' of a node that is skipped because its outputs are "
            "mapped");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_SkipMappedNodes_NotFullyMapped
TEST_F(InsertTest, NodesWithReadersComeIn) {
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }"), "");
  ASSERT_EQ(Insert("node { name: 'none' op: 'NoOp' }" + kTwoMuls,
                   {.input_map = {{{"new_input", 1}, {"input", 0}}}, .skip_mapped_nodes = true}),
            "");
  EXPECT_EQ(Text(),
            "input = tf.TestInput()\nnone = tf.NoOp()\nnew_input = tf.TestInput()\n"
            "t1 = tf.TestMul(new_input, input)\nt2 = tf.TestMul(t1, t1)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ReturnTensors
TEST_F(InsertTest, TensorsComeBack) {
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }"
                   "node { name: 't1' op: 'TestMul' input: ['input:0', 'input:1'] }",
                   {.return_tensors = {{"input", 1}, {"t1", 0}, {"input", 0}}}),
            "");
  EXPECT_EQ(Tensors(), "input:1, t1, input");
  ASSERT_EQ(Insert("node { name: 'new_input' op: 'TestInput' }",
                   {.prefix = "import",
                    .input_map = {{{"new_input", 1}, {"input", 0}}},
                    .return_tensors = {{"new_input", 0}, {"new_input", 1}, {"new_input", -1}}}),
            "");
  EXPECT_EQ(Tensors(), "import/new_input, input, ^import/new_input");
  ASSERT_EQ(Insert("node { name: 'new_input' op: 'TestInput' }",
                   {.input_map = {{{"new_input", 0}, {"_SOURCE", 0}}},
                    .return_tensors = {{"new_input", 0}}}),
            "");
  EXPECT_EQ(Tensors(), "_SOURCE");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ReturnTensorsErrors
TEST_F(InsertTest, TensorsThatAreNotThere) {
  EXPECT_EQ(Insert("node { name: 'W1' op: 'TestParams' }", {.return_tensors = {{"new_input", 0}}}),
            "Requested return tensor 'new_input:0' not found in graph def");
  EXPECT_EQ(
      Insert("node { name: 'new_input' op: 'TestInput' }", {.return_tensors = {{"new_input", 2}}}),
      "Invalid return output 2 of node 'new_input', which has 2 output(s)");
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' }"), "");
  EXPECT_EQ(Insert("node { name: 'W2' op: 'TestParams' }", {.input_map = {{{"W2", 0}, {"W1", 0}}},
                                                            .skip_mapped_nodes = true,
                                                            .return_tensors = {{"W2", -1}}}),
            "Requested return tensor '^W2' is of a node that is skipped because its outputs are "
            "mapped");
  EXPECT_EQ(Text(), "W1 = tf.TestParams()\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ReturnNodes
TEST_F(InsertTest, NodesComeBack) {
  ASSERT_EQ(Insert(R"(node { name: "input" op: "TestInput" } node { name: "input2" op: "TestInput" }
                      node { name: "t1" op: "TestMul" input: ["input:0", "input2:1"] })",
                   {.return_nodes = {"input", "t1"}}),
            "");
  EXPECT_EQ(Nodes(), "input, t1");
  EXPECT_EQ(Tensors(), "");
  ASSERT_EQ(Insert("node { name: 'input' op: 'TestInput' }",
                   {.prefix = "import", .return_nodes = {"input"}}),
            "");
  EXPECT_EQ(Nodes(), "import/input");
  ASSERT_EQ(
      Insert("node { name: 'new_input' op: 'TestInput' }",
             {.input_map = {{{"new_input", 0}, {"input", 0}}}, .return_nodes = {"new_input"}}),
      "");
  EXPECT_EQ(Nodes(), "new_input") << "mapping is about inputs";
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ReturnNodesErrors
TEST_F(InsertTest, NodesThatAreNotThere) {
  EXPECT_EQ(Insert("node { name: 'W1' op: 'TestParams' }", {.return_nodes = {"new_input"}}),
            "Requested return node 'new_input' not found in graph def");
  EXPECT_EQ(Insert("node { name: 'new_input' op: 'TestInput' }",
                   {.skip_mapped_nodes = true, .return_nodes = {"new_input"}}),
            "Requesting return_nodes with skip_mapped_nodes set is not currently supported");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ControlDeps
TEST_F(InsertTest, ControlDependenciesOfWhatComesFirst) {
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' } node { name: 'W2' op: 'TestParams' }"),
            "");
  ASSERT_EQ(Insert(R"(node { name: "W2" op: "TestParams" } node { name: "W3" op: "TestParams" }
                      node { name: "input" op: "TestInput" }
                      node { name: "input2" op: "TestInput" input: "^W2" }
                      node { name: "input3" op: "TestInput" input: ["^W2", "^W3"] }
                      node { name: "t1" op: "TestMul" input: ["input:0", "input:1"] }
                      node { name: "t2" op: "TestMul" input: ["input:0", "input:1", "^W2", "^W3"] })",
                   {.prefix = "import",
                    .input_map = {{{"W2", -1}, {"W2", -1}}, {{"W3", -1}, {"W2", -1}}},
                    .control_dependencies = {"W1", "W2"}}),
            "");
  EXPECT_EQ(Text(),
            "W1 = tf.TestParams()\nW2 = tf.TestParams()\nimport/W2 = tf.TestParams(^W1, ^W2)\n"
            "import/W3 = tf.TestParams(^W1, ^W2)\nimport/input = tf.TestInput(^W1, ^W2)\n"
            "import/input2 = tf.TestInput(^W1, ^W2)\nimport/input3 = tf.TestInput(^W1, ^W2)\n"
            "import/t1 = tf.TestMul(import/input, import/input:1)\n"
            "import/t2 = tf.TestMul(import/input, import/input:1, ^W2)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ControlDepsWithCycle
TEST_F(InsertTest, ControlDependenciesOfOneNodeOfALoop) {
  ASSERT_EQ(Insert("node { name: 'W1' op: 'TestParams' } node { name: 'input' op: 'TestInput' }"),
            "");
  ASSERT_EQ(
      Insert(R"(node { name: "new_input" op: "TestInput" }
                      node { name: "merge" op: "Merge" input: ["new_input:0", "next:0"]
                             attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } } }
                      node { name: "t1" op: "TestMul" input: ["merge:0", "merge:0"] }
                      node { name: "next" op: "NextIteration" input: "t1:0"
                             attr { key: "T" value { type: DT_FLOAT } } })",
             {.input_map = {{{"new_input", 0}, {"input", 0}}}, .control_dependencies = {"W1"}}),
      "");
  EXPECT_EQ(Text(),
            "W1 = tf.TestParams()\ninput = tf.TestInput()\nnew_input = tf.TestInput(^W1)\n"
            "merge = tf.Merge(input, next, ^W1)\nt1 = tf.TestMul(merge, merge)\n"
            "next = tf.NextIteration(t1)\n");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ControlDepsErrors
TEST_F(InsertTest, ControlDependenciesAreNodesOfTheGraph) {
  EXPECT_EQ(Insert("node { name: 'W1' op: 'TestParams' }", {.control_dependencies = {"W1"}}),
            "node 'W1' in control_dependencies does not exist in graph");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_WithCycle, next to a loop of the same names
TEST_F(InsertTest, LoopsHaveTheirOwnBackEdges) {
  const std::string loop = R"(
    node { name: "in" op: "TestParams" }
    node { name: "merge" op: "Merge" input: ["in", "next"]
           attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "next" op: "NextIteration" input: "merge" attr { key: "T" value { type: DT_FLOAT } } })";
  ASSERT_EQ(Insert(loop), "");
  ASSERT_EQ(Insert(loop, {.prefix = "b"}), "");
  EXPECT_EQ(Text(),
            "in = tf.TestParams()\nmerge = tf.Merge(in, next)\nnext = tf.NextIteration(merge)\n"
            "b/in = tf.TestParams()\nb/merge = tf.Merge(b/in, b/next)\n"
            "b/next = tf.NextIteration(b/merge)\n");
}

TEST_F(InsertTest, FunctionsOfTheGraphDefTellWhatIsMapped) {
  ASSERT_EQ(Insert("node { name: 'p' op: 'TestParams' }"), "");
  ASSERT_EQ(Insert(R"(node { name: "call" op: "Pair" }
                      node { name: "t" op: "TestMul" input: ["call:0", "call:1"] }
                      library { function { signature { name: "Pair"
                        output_arg { name: "a" type: DT_FLOAT } output_arg { name: "b" type: DT_FLOAT } }
                        node_def { name: "n" op: "TestParams" }
                        ret { key: "a" value: "n:o:0" } ret { key: "b" value: "n:o:0" } } })",
                   {.input_map = {{{"call", 0}, {"p", 0}}, {{"call", 1}, {"p", 0}}},
                    .skip_mapped_nodes = true}),
            "");
  EXPECT_EQ(Text(), "p = tf.TestParams()\nt = tf.TestMul(p, p)\n");
  EXPECT_TRUE(graph_.functions().Contains("Pair"));
}

}  // namespace
}  // namespace linnet::converter
