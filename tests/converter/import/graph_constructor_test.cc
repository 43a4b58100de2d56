// SPDX-License-Identifier: Apache-2.0
// TensorFlow's graph_constructor_test restated, and every error message of its constructor.
#include "converter/import/graph_constructor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

class ConstructorTest : public testing::Test {
 protected:
  absl::Status Construct(const std::string& pbtxt, const ConstructorOptions& options = {}) {
    graph_ = std::make_unique<Graph>(TestOps());
    notes_.clear();
    absl::StatusOr<RawGraph> raw = ReadPbtxt(pbtxt);
    if (!raw.ok()) return raw.status();
    return ConstructGraph(*std::move(raw), options, graph_.get(), &notes_).status();
  }
  void ExpectOk(const std::string& pbtxt, const ConstructorOptions& options = {}) {
    const absl::Status s = Construct(pbtxt, options);
    EXPECT_TRUE(s.ok()) << s;
  }
  void ExpectError(const std::string& pbtxt, const std::string& part,
                   absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    const absl::Status s = Construct(pbtxt);
    EXPECT_EQ(s.code(), code) << s;
    EXPECT_THAT(Message(s), HasSubstr(part));
  }
  std::string Ids() const {
    std::string names;
    for (const Node* node : graph_->op_nodes()) names += (names.empty() ? "" : " ") + node->name();
    return names;
  }
  std::unique_ptr<Graph> graph_;
  std::vector<std::string> notes_;
};

// TensorFlow graph row 31: graph construction
// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.SimpleModel
// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.SimpleModelWithControlEdges
TEST_F(ConstructorTest, EdgesControlEdgesSourceAndSink) {
  ExpectOk(R"(node { name: "W1" op: "TestParams" }
              node { name: "input" op: "TestInput" input: "^W1" }
              node { name: "t1" op: "TestMul" input: ["W1", "input:1"] }
              node { name: "t2" op: "TestMul" input: ["W1", "input:1", "^t1"] })");
  EXPECT_EQ(Ids(), "W1 input t1 t2");
  Node* t1 = graph_->FindNode("t1");
  EXPECT_EQ(t1->input(0), (Output{graph_->FindNode("W1"), 0}));
  EXPECT_EQ(t1->input(1), (Output{graph_->FindNode("input"), 1}));
  ASSERT_EQ(graph_->FindNode("input")->in_edges().size(), 1u);
  EXPECT_TRUE(graph_->FindNode("input")->in_edges().front()->IsControlEdge());
  EXPECT_EQ(graph_->FindNode("W1")->in_edges().front()->src, graph_->source());
  EXPECT_EQ(graph_->FindNode("t2")->out_edges().front()->dst, graph_->sink());
  EXPECT_TRUE(VerifyGraph(*graph_).ok()) << VerifyGraph(*graph_);
}

// TensorFlow graph row 32: the lowest index of what is ready comes first
TEST_F(ConstructorTest, IdsFollowTheFileWhereTheyCan) {
  ExpectOk(R"(node { name: "t1" op: "TestMul" input: ["a", "b"] }
              node { name: "b" op: "TestParams" } node { name: "a" op: "TestParams" }
              node { name: "last" op: "TestParams" })");
  EXPECT_EQ(Ids(), "b a t1 last");
}

TEST_F(ConstructorTest, Names) {
  ExpectError(R"(node { name: "a:0" op: "ABC" })",
              "Node 'a:0': Node name contains invalid characters");
  ExpectError(R"(node { op: "ABC" })", "Node '': Node name contains invalid characters");
  ExpectError(R"(node { name: "a" op: "ABC" } node { name: "a" op: "ABC" })",
              "Node 'a' is not unique");
  ExpectError(R"(node { name: "a" })", "Node 'a' does not specify an operation");
  ConstructorOptions options;
  options.allow_internal_ops = false;
  EXPECT_THAT(Message(Construct(R"(node { name: "_a" op: "ABC" })", options)),
              HasSubstr("Node '_a': Node name contains invalid characters"));
  ExpectOk(R"(node { name: "_a" op: "ABC" })");
  options.expect_device_spec = true;
  EXPECT_THAT(Message(Construct(R"(node { name: "a" op: "ABC" })", options)),
              HasSubstr("Node 'a' is missing a device specification"));
}

TEST(NodeNames, Grammar) {
  for (const char* good : {"a", "A.b-c/d_e", ".x", "0", "a>b", "a/b>.c>9-x"})
    EXPECT_TRUE(IsValidNodeName(good, false)) << good;
  for (const char* bad :
       {"", "-a", "/a", "a b", "a>", "a>>b", "a>_b", "a:0", "^a", "_a", "\xc3\xa9"})
    EXPECT_FALSE(IsValidNodeName(bad, false)) << bad;
  EXPECT_TRUE(IsValidNodeName("_a", true));
}

TEST(TensorNames, Grammar) {
  EXPECT_EQ(ParseTensorName("a"), TensorId("a", 0));
  EXPECT_EQ(ParseTensorName("a:1"), TensorId("a", 1));
  EXPECT_EQ(ParseTensorName("a:00"), TensorId("a", 0));
  EXPECT_EQ(ParseTensorName("a:-1"), TensorId("a:-1", 0));
  EXPECT_EQ(ParseTensorName("a:"), TensorId("a:", 0));
  EXPECT_EQ(ParseTensorName("a1"), TensorId("a1", 0));
  EXPECT_EQ(ParseTensorName("^a"), TensorId("a", -1));
  EXPECT_EQ(ParseTensorName("^a:1"), TensorId("a:1", -1));
  EXPECT_EQ(ParseTensorName(":0"), TensorId(":0", 0));
  EXPECT_EQ(ParseTensorName(""), TensorId("", 0));
  EXPECT_EQ(ParseTensorName("a:99999999999999999999").second, 1 << 30);
}

TEST_F(ConstructorTest, Inputs) {
  ExpectError(
      R"(node { name: "a" op: "TestMul" input: ["^b", "b"] } node { name: "b" op: "TestParams" })",
      "Node 'a': Control dependencies must come after regular dependencies");
  ExpectError(R"(node { name: "a" op: "OneInput" input: "b" })",
              "Node 'a': Unknown input node 'b'");
  ExpectError(R"(node { name: "a" op: "ABC" input: "^b" })", "Node 'a': Unknown input node '^b'");
  ExpectError(
      R"(node { name: "p" op: "TestParams" } node { name: "a" op: "OneInput" input: "p:1" })",
      "Node 'a': Connecting to invalid output 1 of source node p which has 1 outputs.");
  ExpectError(R"(node { name: "p" op: "TestParams" } node { name: "a" op: "TestInt" input: "p" })",
              "Input 0 of node a was passed float from p:0 incompatible with expected int32.");
  ExpectError(R"(node { name: "p" op: "TestParams" } node { name: "a" op: "TestMul" input: "p" })",
              "NodeDef expected inputs 'float, float' do not match 1 inputs specified");
  ExpectError(
      R"(node { name: "p" op: "TestParams" } node { name: "a" op: "OneInput" input: ["p", "p"] })",
      "NodeDef expected inputs 'float' do not match 2 inputs specified");
}

TEST_F(ConstructorTest, ControlInputsOnceAndByName) {
  ExpectOk(R"(node { name: "b" op: "ABC" } node { name: "a" op: "ABC" }
              node { name: "c" op: "ABC" input: ["^b", "^a", "^b"] })");
  const auto edges = graph_->FindNode("c")->in_edges();
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges.front()->src->name(), "a");
  EXPECT_EQ(edges.back()->src->name(), "b");
}

TEST_F(ConstructorTest, References) {
  ExpectOk(R"(node { name: "r" op: "TestRefOut" } node { name: "v" op: "OneInput" input: "r" }
              node { name: "w" op: "TestRefIn" input: "r" })");
  ExpectError(
      R"(node { name: "p" op: "TestParams" } node { name: "w" op: "TestRefIn" input: "p" })",
      "Input 0 of node w was passed float from p:0 incompatible with expected float_ref.");
}

TEST_F(ConstructorTest, Cycles) {
  ExpectError(
      R"(node { name: "a" op: "TestMul" input: ["b", "b"] } node { name: "b" op: "TestMul" input: ["a", "a"] }
                 node { name: "c" op: "ABC" })",
      "2 nodes in a cycle: 'a', 'b'");
  ExpectError(R"(node { name: "a" op: "ABC" input: "^a" })", "1 nodes in a cycle: 'a'");
}

const char kLoop[] = R"(
  node { name: "p" op: "TestParams" }
  node { name: "enter" op: "Enter" input: "p" attr { key: "T" value { type: DT_FLOAT } } attr { key: "frame_name" value { s: "f" } } }
  node { name: "merge" op: "Merge" input: ["enter", "next"] attr { key: "T" value { type: DT_FLOAT } } attr { key: "N" value { i: 2 } } }
  node { name: "next" op: "NextIteration" input: "merge" attr { key: "T" value { type: DT_FLOAT } } })";

TEST_F(ConstructorTest, LoopsCloseThroughMerge) {
  ExpectOk(kLoop);
  EXPECT_EQ(graph_->FindNode("merge")->input(1), (Output{graph_->FindNode("next"), 0}));
  EXPECT_TRUE(VerifyGraph(*graph_).ok()) << VerifyGraph(*graph_);
  // A node may read the loop only where the loop is complete.
  ExpectError(std::string(kLoop) + R"(node { name: "m2" op: "TestMul" input: ["p", "late"] }
                                      node { name: "late" op: "TestMul" input: ["m2", "m2"] })",
              "2 nodes in a cycle");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_UnknownOps
TEST_F(ConstructorTest, UnknownOps) {
  ExpectError(R"(node { name: "a" op: "NoSuchOp" })",
              "Op type not registered 'NoSuchOp' in binary running on",
              absl::StatusCode::kNotFound);
}

// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.LowVersion
// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.HighVersion
// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.BadVersion
// TensorFlow graph row 22: versions
TEST_F(ConstructorTest, Versions) {
  ExpectError("versions { producer: -1 }",
              "GraphDef producer version -1 below min producer 0 supported by TensorFlow 2.x.  "
              "Please regenerate your "
              "graph.");
  ExpectError("versions { min_consumer: 1000000000 }",
              "GraphDef min consumer version 1000000000 above current version 2474 for TensorFlow "
              "2.x.  Please upgrade "
              "TensorFlow.");
  ExpectError("versions { bad_consumers: 2474 }",
              "GraphDef disallows consumer version 2474.  Please upgrade TensorFlow: this version "
              "is likely buggy.");
  ExpectOk("versions { producer: 27 min_consumer: 12 bad_consumers: 4 }");
  EXPECT_EQ(graph_->versions().producer(), 27);
  EXPECT_EQ(graph_->versions().min_consumer(), 12);
  ExpectOk("versions { producer: 100000 }");
  ExpectOk(R"(node { name: "a" op: "ABC" })");
  EXPECT_EQ(graph_->versions().producer(), 0);
}

TEST_F(ConstructorTest, Deprecation) {
  ExpectOk(R"(node { name: "a" op: "RequiresOlderGraphVersion" } versions { producer: 99 })");
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_THAT(notes_[0], HasSubstr("will cease to work in GraphDef version 100"));
  ExpectError(R"(node { name: "a" op: "RequiresOlderGraphVersion" } versions { producer: 100 })",
              "Op RequiresOlderGraphVersion is not available in GraphDef version 100. It has been "
              "removed in version "
              "100. For reasons.",
              absl::StatusCode::kUnimplemented);
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_DefaultAttrs
TEST_F(ConstructorTest, DefaultsAreFilledAndNewAttributesPass) {
  ExpectOk(
      R"(node { name: "a" op: "TestDefaultAttr" attr { key: "from_the_future" value { i: 1 } } })");
  EXPECT_EQ(graph_->FindNode("a")->FindAttr("default_int")->i(), 31415);
  EXPECT_EQ(graph_->FindNode("a")->FindAttr("from_the_future")->i(), 1);
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ValidateColocationConstraints
TEST_F(ConstructorTest, Colocation) {
  const std::string other =
      R"(node { name: "b" op: "ABC" attr { key: "_class" value { list { s: "loc:@c" s: "other" } } } })";
  ExpectError(other, "Node 'b' expects to be colocated with unknown node 'c'");
  ExpectOk(other + R"(node { name: "c" op: "ABC" })");
  ConstructorOptions options;
  options.validate_colocation = false;
  ExpectOk(other, options);
}

// TensorFlow graph row 30: text form of GraphDef
TEST_F(ConstructorTest, Constants) {
  ExpectOk(R"(node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 3 } } int_val: [1, 2] } } } })");
  EXPECT_EQ(PrintNode(*graph_->FindNode("c")), "c = const i32[3] {1, 2, 2}");
  EXPECT_EQ(graph_->FindNode("c")->FindAttr("value"), nullptr);
  ExpectError(R"(node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } })",
              "Const 'c': has no value", absl::StatusCode::kFailedPrecondition);
  ExpectError(R"(node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 } } } })",
              "Const 'c': attr 'dtype' is float, but the value is int32");
}

TEST_F(ConstructorTest, StringConstantsStayAsAttributes) {
  ExpectOk(R"(node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
      attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: "abc" } } } })");
  const Node* c = graph_->FindNode("c");
  EXPECT_TRUE(c->IsConstant());
  EXPECT_FALSE(c->HasType(0));
  EXPECT_EQ(c->FindAttr("value")->tensor().string_val(0), "abc");
}

// TensorFlow graph row 78: calls of functions
TEST_F(ConstructorTest, Functions) {
  const std::string library =
      R"(library { function { signature { name: "F" input_arg { name: "x" type: DT_FLOAT }
      output_arg { name: "y" type: DT_FLOAT } } } })";
  ExpectOk(library +
           R"(node { name: "p" op: "TestParams" } node { name: "f" op: "F" input: "p" })");
  EXPECT_EQ(graph_->FindNode("f")->node_class(), NodeClass::kFunctionCall);
  EXPECT_TRUE(graph_->functions().Contains("F"));
  ExpectError(R"(library { function { signature { name: "Add" } } })",
              "Cannot add function 'Add' because an op with the same name already exists.");
}

TEST_F(ConstructorTest, IndependentProblemsComeTogether) {
  const absl::Status s =
      Construct(R"(node { name: "a b" op: "ABC" } node { name: "b" op: "NoSuchOp" }
      node { name: "c" op: "OneInput" input: "nowhere" } node { name: "d" op: "TestMul" })");
  EXPECT_THAT(Message(s), HasSubstr("4 problems:"));
  for (const char* part :
       {"'a b'", "NoSuchOp", "Unknown input node 'nowhere'", "do not match 0 inputs"})
    EXPECT_THAT(Message(s), HasSubstr(part));
}

TEST_F(ConstructorTest, ManyTypeErrorsComeTogether) {
  const absl::Status s =
      Construct(R"(node { name: "p" op: "TestParams" } node { name: "a" op: "TestInt" input: "p" }
      node { name: "b" op: "TestInt" input: "p" })");
  EXPECT_THAT(Message(s), HasSubstr("2 problems:"));
}

// TensorFlow graph row 29: NodeDef
// TensorFlow graph row 42: devices as they are written
TEST_F(ConstructorTest, DevicesAreRequested) {
  ExpectOk(R"(node { name: "a" op: "ABC" device: "/job:w/task:3/device:GPU:0" })");
  EXPECT_EQ(graph_->FindNode("a")->requested_device(), "/job:w/task:3/device:GPU:0");
  EXPECT_EQ(graph_->FindNode("a")->assigned_device(), "");
}

}  // namespace
}  // namespace linnet::converter
