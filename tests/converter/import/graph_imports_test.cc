// SPDX-License-Identifier: Apache-2.0
// Small GraphDefs, and the graph that each becomes or the error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/algorithm.h"
#include "converter/graph/graph_def.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "converter/import/graph_constructor.h"
#include "fmt/format.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

// The ops that TensorFlow's tests of import register in addition to those of its graph tests.
const OpRegistry* ImportOps() {
  static const OpRegistry* const kOps = [] {
    auto* table = new OpTable(TestOps());
    const absl::Status s = table->AddText(R"x(
      op { name: "None" }
      op { name: "IntOutput" output_arg { name: "a" type: DT_INT32 } }
      op { name: "TwoIntOutputs" output_arg { name: "a" type: DT_INT32 } output_arg { name: "b" type: DT_INT32 } }
      op { name: "IntOutputFloatOutput" output_arg { name: "a" type: DT_INT32 }
           output_arg { name: "b" type: DT_FLOAT } }
      op { name: "FloatOutput" output_arg { name: "a" type: DT_FLOAT } }
      op { name: "RefOutput" output_arg { name: "a" type: DT_INT32 is_ref: true } }
      op { name: "ListOutput" output_arg { name: "a" type_list_attr: "T" } attr { name: "T" type: "list(type)" } }
      op { name: "IntInput" input_arg { name: "a" type: DT_INT32 } }
      op { name: "FloatInput" input_arg { name: "a" type: DT_FLOAT } }
      op { name: "TwoIntInputs" input_arg { name: "a" type: DT_INT32 } input_arg { name: "b" type: DT_INT32 } }
      op { name: "IntInputFloatInput" input_arg { name: "a" type: DT_INT32 } input_arg { name: "b" type: DT_FLOAT } }
      op { name: "RefInputIntInput" input_arg { name: "a" type: DT_INT32 is_ref: true }
           input_arg { name: "b" type: DT_INT32 } }
      op { name: "ListInput" input_arg { name: "a" type_attr: "T" number_attr: "N" }
           attr { name: "N" type: "int" has_minimum: true minimum: 1 } attr { name: "T" type: "type" } }
      op { name: "OpWithDefaultAttr" attr { name: "default_float" type: "float" default_value { f: 123 } } })x");
    if (!s.ok()) __builtin_trap();
    return table;
  }();
  return kOps;
}

absl::Status Import(const std::string& pbtxt, Graph* graph,
                    const ConstructorOptions& options = {}) {
  absl::StatusOr<RawGraph> raw = ReadPbtxt(pbtxt);
  if (!raw.ok()) return raw.status();
  std::vector<std::string> notes;
  return ConstructGraph(*std::move(raw), options, graph, &notes).status();
}

struct GoodCase {
  std::string pbtxt, graph;
};

// The loop of `i = 0; while (i < 10) i += 1`, as TensorFlow 1 writes it.
const std::string kCountToTen = R"(
  node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
         attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
  node { name: "w/Enter" op: "Enter" input: "c" attr { key: "T" value { type: DT_INT32 } }
         attr { key: "frame_name" value { s: "w" } } }
  node { name: "w/Merge" op: "Merge" input: "w/Enter" input: "w/Next" attr { key: "N" value { i: 2 } }
         attr { key: "T" value { type: DT_INT32 } } }
  node { name: "w/Less/y" op: "Const" input: "^w/Merge" attr { key: "dtype" value { type: DT_INT32 } }
         attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 10 } } } }
  node { name: "w/Less" op: "Less" input: "w/Merge" input: "w/Less/y" attr { key: "T" value { type: DT_INT32 } } }
  node { name: "w/LoopCond" op: "LoopCond" input: "w/Less" }
  node { name: "w/Switch" op: "Switch" input: "w/Merge" input: "w/LoopCond" attr { key: "T" value { type: DT_INT32 } } }
  node { name: "w/Add" op: "Add" input: "w/Switch:1" input: "w/Less/y" attr { key: "T" value { type: DT_INT32 } } }
  node { name: "w/Next" op: "NextIteration" input: "w/Add" attr { key: "T" value { type: DT_INT32 } } }
  node { name: "w/Exit" op: "Exit" input: "w/Switch" attr { key: "T" value { type: DT_INT32 } } })";

const GoodCase kGood[] = {
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.EmptyGraph
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testEmptyGraph
    {"", ""},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.ImportGraphDef
    // (its first import)
    {R"(node { name: "A" op: "TestParams" } node { name: "X" op: "TestParams" }
        node { name: "B" op: "OneInputTwoOutputs" input: "A"
               attr { key: "_class" value { list { s: "loc:@A" } } } }
        node { name: "C" op: "OneInputTwoOutputs" input: "B:1" input: "^X" }
        node { name: "D" op: "TestMul" input: "B:0" input: "C:0" })",
     R"(A = tf.TestParams()
X = tf.TestParams()
B = tf.OneInputTwoOutputs(A) {_class: ["loc:@A"]}
C = tf.OneInputTwoOutputs(B:1, ^X)
D = tf.TestMul(B, C)
)"},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.GraphWithOKCycle
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.ImportGraphDef_WithCycle
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testWhileLoop
    // tensorflow/core/graph/validate_test.cc:
    // ValidateGraphHasNoCycleTest.NoCycleWithMergePasses
    {kCountToTen, R"(c = const i32[] 0
w/Enter = tf.Enter(c) {frame_name: "w"}
w/Merge = tf.Merge(w/Enter, w/Next)
w/Less/y = const i32[] 10 (^w/Merge)
w/Less = tf.Less(w/Merge, w/Less/y)
w/LoopCond = tf.LoopCond(w/Less)
w/Switch = tf.Switch(w/Merge, w/LoopCond)
w/Add = tf.Add(w/Switch:1, w/Less/y)
w/Next = tf.NextIteration(w/Add)
w/Exit = tf.Exit(w/Switch)
)"},
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testBasic
    {R"(node { name: "A" op: "IntOutputFloatOutput" }
        node { name: "B" op: "ListOutput" attr { key: "T" value { list { type: [DT_INT32, DT_FLOAT] } } } }
        node { name: "C" op: "ListInput" attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_INT32 } }
               input: ["A:0", "B:0"] }
        node { name: "D" op: "ListInput" attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } }
               input: ["A:1", "B:1"] })",
     R"(A = tf.IntOutputFloatOutput()
B = tf.ListOutput() {T: [DT_INT32, DT_FLOAT]}
C = tf.ListInput(A, B)
D = tf.ListInput(A:1, B:1)
)"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testImplicitZerothOutput
    {R"(node { name: "A" op: "TwoIntOutputs" } node { name: "B" op: "IntInput" input: "A" })",
     "A = tf.TwoIntOutputs()\nB = tf.IntInput(A)\n"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testWithControlDependency
    {R"(node { name: "A" op: "None" } node { name: "B" op: "None" input: "^A" })",
     "A = tf.None()\nB = tf.None(^A)\n"},
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testWithRefs
    {R"(node { name: "A" op: "RefOutput" } node { name: "B" op: "IntOutput" }
        node { name: "C" op: "TwoIntInputs" input: ["A:0", "B:0"] }
        node { name: "D" op: "RefInputIntInput" input: ["A:0", "B:0"] })",
     "A = tf.RefOutput()\nB = tf.IntOutput()\nC = tf.TwoIntInputs(A, B)\nD = "
     "tf.RefInputIntInput(A, B)\n"},
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testWithDevice
    {R"(node { name: "a" op: "None" } node { name: "b" op: "None" device: "/cpu:0" }
        node { name: "c" op: "None" device: "/job:worker" })",
     "a = tf.None()\nb = tf.None() @\"/cpu:0\"\nc = tf.None() @\"/job:worker\"\n"},
    // tensorflow/core/graph/validate_test.cc: ValidateGraphDefTest.TestValidGraph
    // tensorflow/core/graph/validate_test.cc: VerifyNoDuplicateNodeNames.NoDuplicateNodeNames
    // tensorflow/core/graph/validate_test.cc: ValidateGraphHasNoCycleTest.NoCyclePasses
    {R"(node { name: "A" op: "FloatOutput" } node { name: "B" op: "FloatOutput" }
        node { name: "C" op: "Mul" attr { key: "T" value { type: DT_FLOAT } } input: ["A", "B"] })",
     "A = tf.FloatOutput()\nB = tf.FloatOutput()\nC = tf.Mul(A, B)\n"},
    // Tidx and keep_dims are missing; both have defaults.
    // tensorflow/core/graph/validate_test.cc:
    // ValidateGraphDefTest.GraphWithUnspecifiedDefaultAttr
    {R"(node { name: "A" op: "FloatOutput" } node { name: "B" op: "IntOutput" }
        node { name: "C" op: "Sum" attr { key: "T" value { type: DT_FLOAT } } input: ["A", "B"] })",
     "A = tf.FloatOutput()\nB = tf.IntOutput()\nC = tf.Sum(A, B)\n"},
    // TensorFlow graph row 77: internal ops
    {R"(node { name: "_a" op: "_Arg" attr { key: "T" value { type: DT_FLOAT } } attr { key: "index" value { i: 0 } } }
        node { name: "_l" op: "_ListToArray" input: ["_a", "_a"] attr { key: "N" value { i: 2 } }
               attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tin" value { list { type: [DT_FLOAT, DT_FLOAT] } } } }
        node { name: "_r" op: "_Retval" input: "_l:1" attr { key: "T" value { type: DT_FLOAT } }
               attr { key: "index" value { i: 0 } } })",
     "_a = arg ?\n_l = tf._ListToArray(_a, _a) {N: 2, T: DT_FLOAT}\n_r = ret(_l:1)\n"},
};

TEST(GraphImports, GoodGraphs) {
  for (const GoodCase& c : kGood) {
    Graph graph(ImportOps());
    const absl::Status s = Import(c.pbtxt, &graph);
    ASSERT_TRUE(s.ok()) << s << c.pbtxt;
    EXPECT_EQ(PrintGraph(graph), c.graph);
    EXPECT_TRUE(VerifyGraph(graph).ok()) << VerifyGraph(graph);
    EXPECT_FALSE(FixupSourceAndSinkEdges(&graph));  // done
  }
}

struct BadCase {
  std::string pbtxt, error;
};

const std::string kReferToMe =
    R"(node { name: "W1" op: "TestParams" } node { name: "input" op: "TestInput" } )";

const BadCase kBad[] = {
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.InvalidNodeName
    {R"(node { name: "a:b" op: "ABC" })", "Node 'a:b': Node name contains invalid characters"},
    {R"(node { name: "a\\b" op: "ABC" })", "Node name contains invalid characters"},
    {R"(node { name: "/a" op: "ABC" })", "Node '/a': Node name contains invalid characters"},
    {R"(node { name: "-a" op: "ABC" })", "Node '-a': Node name contains invalid characters"},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.InvalidSourceNodeName
    {kReferToMe + R"(node { name: "t1" op: "TestMul" input: ["W999", "input"] })",
     "Node 't1': Unknown input node 'W999'"},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.InvalidSourceNodeIndex
    {kReferToMe + R"(node { name: "t1" op: "TestMul" input: ["W1:1", "input:1"] })",
     "Node 't1': Connecting to invalid output 1 of source node W1 which has 1 outputs."},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.GraphWithCycle
    {kReferToMe + R"(node { name: "t1" op: "TestMul" input: ["input:0", "t2"] }
                     node { name: "t2" op: "TestMul" input: ["input:1", "t1"] })",
     "2 nodes in a cycle: 't1', 't2'"},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.TypeMismatch
    {kReferToMe + R"(node { name: "int" op: "TestInt" input: "input" })",
     "Input 0 of node int was passed float from input:0 incompatible with expected int32."},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.Error_ControlEdgeBeforeRealInput
    {kReferToMe + R"(node { name: "t1" op: "TestMul" input: ["W1", "input:1"] }
                     node { name: "t2" op: "TestMul" input: ["W1", "^t1", "input:1"] })",
     "Node 't2': Control dependencies must come after regular dependencies"},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.ImportGraphDef_Versioning
    {"versions { producer: -1 }", "GraphDef producer version -1 below min producer 0"},
    {"versions { min_consumer: 2475 }",
     "GraphDef min consumer version 2475 above current version 2474"},
    {"versions { bad_consumers: 2474 }", "GraphDef disallows consumer version 2474."},
    // tensorflow/core/common_runtime/graph_constructor_test.cc:
    // GraphConstructorTest.ForwardCompatError
    {R"(node { name: "a:b" op: "ABC" } versions { producer: 2496 })",
     "forward compatibility guarantee"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testTypeMismatchInGraphDef
    {R"(node { name: "A" op: "IntOutput" } node { name: "B" op: "FloatInput" input: "A:0" })",
     "Input 0 of node B was passed int32 from A:0 incompatible with expected float."},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testInvalidSignatureTooManyInputsInGraphDef
    {R"(node { name: "A" op: "IntOutput" } node { name: "B" op: "None" input: "A:0" })",
     "NodeDef expected inputs '' do not match 1 inputs specified"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testInvalidSignatureNotEnoughInputsInGraphDef
    {R"(node { name: "A" op: "IntOutput" } node { name: "B" op: "IntInputFloatInput" input: "A:0" })",
     "NodeDef expected inputs 'int32, float' do not match 1 inputs specified"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testMissingInputOpInGraphDef
    {R"(node { name: "B" op: "FloatInput" input: "A:0" })", "Node 'B': Unknown input node 'A:0'"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testMissingInputTensorInGraphDef
    {R"(node { name: "A" op: "FloatOutput" } node { name: "B" op: "FloatInput" input: "A:1" })",
     "Node 'B': Connecting to invalid output 1 of source node A which has 1 outputs"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testMissingControlInputInGraphDef
    {R"(node { name: "B" op: "None" input: "^A" })", "Node 'B': Unknown input node '^A'"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testInvalidTensorNameOutputIndexInGraphDef
    {R"(node { name: "B" op: "None" input: "A:B" })", "Node 'B': Unknown input node 'A:B'"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testInvalidTensorNameInGraphDef
    {R"(node { name: "B" op: "None" input: "A:B:0" })", "Node 'B': Unknown input node 'A:B:0'"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testNamePrefixColocationAttrsNotFound
    {R"(node { name: "B" op: "None" attr { key: "_class" value { list { s: "loc:@A" } } } })",
     "Node 'B' expects to be colocated with unknown node 'A'"},
    // tensorflow/python/framework/importer_test.py:
    // ImportGraphDefTest.testDuplicateOperationNames
    // tensorflow/core/graph/validate_test.cc: VerifyNoDuplicateNodeNames.DuplicateNodeNames
    {R"(node { name: "A" op: "IntOutput" } node { name: "B" op: "IntOutput" } node { name: "A" op: "IntOutput" })",
     "Node 'A' is not unique"},
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testVersionLow
    {"versions { producer: -1 }",
     "GraphDef producer version -1 below min producer 0 supported by TensorFlow 2.x.  Please "
     "regenerate your graph."},
    // tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testVersionHigh
    {"versions { min_consumer: 1073741824 }",
     "GraphDef min consumer version 1073741824 above current version 2474 for TensorFlow "
     "2.x.  "
     "Please upgrade TensorFlow."},
    // tensorflow/core/graph/validate_test.cc:
    // ValidateGraphDefTest.GraphWithUnspecifiedRequiredAttr
    {R"(node { name: "A" op: "FloatOutput" }
        node { name: "B" op: "Cast" attr { key: "SrcT" value { type: DT_FLOAT } } input: "A" })",
     "NodeDef missing attr 'DstT' from Op<name=Cast;"},
};

TEST(GraphImports, BadGraphs) {
  for (const BadCase& c : kBad) {
    Graph graph(ImportOps());
    const absl::Status s = Import(c.pbtxt, &graph);
    EXPECT_EQ(s.code(), absl::StatusCode::kInvalidArgument) << c.pbtxt;
    EXPECT_THAT(Message(s), HasSubstr(c.error)) << c.pbtxt;
  }
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.NoForwardCompatError
TEST(GraphImports, VersionsThreeWeeksAheadAreAccepted) {
  Graph graph(ImportOps());
  const absl::Status s =
      Import(R"(node { name: "a:b" op: "ABC" } versions { producer: 2495 })", &graph);
  EXPECT_EQ(Message(s), "Node 'a:b': Node name contains invalid characters");
}

// tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testVersion
// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.VersionGraph
TEST(GraphImports, VersionsAreKept) {
  for (const int producer : {0, 1237, kGraphDefVersion}) {
    for (const int min_consumer : {0, 1237, kGraphDefVersion}) {
      Graph graph(ImportOps());
      const std::string versions =
          fmt::format("versions {{ producer: {} min_consumer: {} }}", producer, min_consumer);
      const absl::Status s = Import("node { name: 'A' op: 'TwoIntOutputs' }" + versions, &graph);
      ASSERT_TRUE(s.ok()) << s;
      EXPECT_EQ(graph.versions().producer(), producer);
      EXPECT_EQ(graph.versions().min_consumer(), min_consumer);
    }
  }
}

// tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testDefaultAttrsAdded
TEST(GraphImports, DefaultsAreAttributes) {
  Graph graph(ImportOps());
  ASSERT_TRUE(Import("node { name: 'A' op: 'OpWithDefaultAttr' }", &graph).ok());
  EXPECT_EQ(graph.FindNode("A")->FindAttr("default_float")->f(), 123.0f);
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_DeprecatedOps
TEST(GraphImports, DeprecationCountsFromItsVersionOn) {
  const std::string graph_def = R"(
    node { name: "x" op: "FloatOutput" }
    node { name: "n" op: "BatchNormWithGlobalNormalization" input: ["x", "x", "x", "x", "x"]
           attr { key: "T" value { type: DT_FLOAT } } attr { key: "variance_epsilon" value { f: 0.001 } }
           attr { key: "scale_after_normalization" value { b: false } } })";
  Graph old(ImportOps()), young(ImportOps());
  EXPECT_TRUE(Import(graph_def, &old).ok());
  const absl::Status s = Import(graph_def + "versions { producer: 10 }", &young);
  EXPECT_EQ(s.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(
      Message(s),
      HasSubstr("BatchNormWithGlobalNormalization is not available in GraphDef version 10."));
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_FunctionDefs
// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_NestedFunctionDefs
// tensorflow/python/framework/importer_test.py: ImportGraphDefTest.testFunctions
TEST(GraphImports, FunctionsAndGradientsRoundTrip) {
  const std::string ends =
      R"(input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } })";
  Graph graph(ImportOps()), again(ImportOps());
  const absl::Status s = Import(R"(
    node { name: "p" op: "TestParams" } node { name: "o" op: "Outer" input: "p" }
    library {
      function { signature { name: "Outer" )" +
                                    ends + R"( node_def { name: "i" op: "Inner" input: "x" }
                 ret { key: "y" value: "i:y:0" } }
      function { signature { name: "Inner" )" +
                                    ends + R"( ret { key: "y" value: "x" } }
      gradient { function_name: "Inner" gradient_func: "Outer" } }
    versions { producer: 21 min_consumer: 12 })",
                                &graph);
  ASSERT_TRUE(s.ok()) << s;
  EXPECT_EQ(graph.functions().LookUp("Inner")->name(), "Inner");
  const tf::GraphDef def = ToGraphDef(graph);
  EXPECT_EQ(def.library().function_size(), 2);
  ASSERT_EQ(def.library().gradient_size(), 1);
  EXPECT_EQ(def.library().gradient(0).gradient_func(), "Outer");
  std::string text;
  ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(def, &text));
  ASSERT_TRUE(Import(text, &again).ok());
  EXPECT_EQ(ToGraphDef(again).SerializeAsString(), def.SerializeAsString());
  EXPECT_EQ(PrintGraph(again), "p = tf.TestParams()\no = tf.Outer(p)\n");
}

// tensorflow/core/graph/tensor_id_test.cc: TensorIdTest.ParseTensorName
// TensorFlow graph row 42: tensors as they are written
TEST(GraphImports, TensorNames) {
  const struct {
    const char *text, *tensor;
  } kCases[] = {{"W1", "W1"},       {"weights:0", "weights"}, {"W1:1", "W1:1"},
                {"W1:17", "W1:17"}, {"xyz1_17", "xyz1_17"},   {"^foo", "^foo"}};
  for (const auto& [text, tensor] : kCases) {
    const auto [node, slot] = ParseTensorName(text);
    EXPECT_EQ(TensorName(node, slot), tensor);
  }
}

}  // namespace
}  // namespace linnet::converter
