// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "converter/functions/inline_calls.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

// twice(x) = x + x; four(x) = twice(twice(x)), where the inner call is an op named twice; store(v,
// x) assigns.
constexpr char kLibrary[] = R"(
  function {
    signature { name: "twice" attr { name: "T" type: "type" }
                input_arg { name: "x" type_attr: "T" } output_arg { name: "y" type_attr: "T" } }
    node_def { name: "sum" op: "AddV2" input: "x" input: "x" attr { key: "T" value { placeholder: "T" } } }
    ret { key: "y" value: "sum:z:0" }
  }
  function {
    signature { name: "four" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "a" op: "twice" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "b" op: "PartitionedCall" input: "a:y:0"
               attr { key: "Tin" value { list { type: DT_FLOAT } } } attr { key: "Tout" value { list { type: DT_FLOAT } } }
               attr { key: "f" value { func { name: "twice" attr { key: "T" value { type: DT_FLOAT } } } } } }
    ret { key: "y" value: "b:output:0" }
  }
  function {
    signature { name: "store" input_arg { name: "v" type: DT_RESOURCE } input_arg { name: "x" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } is_stateful: true control_output: "assign" }
    node_def { name: "assign" op: "AssignVariableOp" input: "v" input: "x" attr { key: "dtype" value { type: DT_FLOAT } } }
    node_def { name: "one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
               attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } } }
    ret { key: "y" value: "one:output:0" } control_ret { key: "assign" value: "assign" }
  }
  function {
    signature { name: "self" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "again" op: "self" input: "x" }
    ret { key: "y" value: "again:y:0" }
  }
  function {
    signature { name: "ping" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "p" op: "pong" input: "x" }
    ret { key: "y" value: "p:y:0" }
  }
  function {
    signature { name: "pong" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "p" op: "PartitionedCall" input: "x"
               attr { key: "Tin" value { list { type: DT_FLOAT } } } attr { key: "Tout" value { list { type: DT_FLOAT } } }
               attr { key: "f" value { func { name: "ping" } } } }
    ret { key: "y" value: "p:output:0" }
  }
  gradient { function_name: "four" gradient_func: "self" })";

tf::FunctionDefLibrary Library() {
  tf::FunctionDefLibrary library;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kLibrary, &library));
  return library;
}

// Parsing a call needs the function's library, so calls are added afterwards: node `name` with op
// `op` (a function, or a PartitionedCall of `f`), which reads x.
Node* AddCall(Graph& graph, const std::string& name, const std::string& op, const std::string& f,
              const std::vector<Output>& inputs, int outputs = 1) {
  tf::NodeDef def;
  def.set_name(name);
  def.set_op(op);
  if (f.empty()) {
    (*def.mutable_attr())["T"].set_type(tf::DT_FLOAT);
  } else {
    auto& attrs = *def.mutable_attr();
    auto* in = attrs["Tin"].mutable_list();
    for (const Output& input : inputs) in->add_type(input.node->tf_output_types()[0]);
    auto* out = attrs["Tout"].mutable_list();
    for (int i = 0; i < outputs; ++i) out->add_type(tf::DT_FLOAT);
    attrs["f"].mutable_func()->set_name(f);
    if (f == "twice") (*attrs["f"].mutable_func()->mutable_attr())["T"].set_type(tf::DT_FLOAT);
  }
  absl::StatusOr<Node*> node = graph.AddNode(def);
  if (!node.ok()) {
    ADD_FAILURE() << MessageOf(node.status());
    return nullptr;
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    graph.AddEdge(inputs[i].node, inputs[i].index, *node, static_cast<int>(i));
  return *node;
}

std::unique_ptr<Graph> WithLibrary(std::string_view text) {
  std::unique_ptr<Graph> graph = Parse(text);
  const absl::Status status = graph->functions().AddLibrary(Library());
  EXPECT_TRUE(status.ok()) << MessageOf(status);
  return graph;
}

int Inline(Graph& graph, const PassContext& context = {}) {
  FixupSourceAndSinkEdges(&graph);
  const absl::StatusOr<int> inlined = InlineFunctions(graph, context);
  EXPECT_TRUE(inlined.ok()) << MessageOf(inlined.status());
  const absl::Status valid = VerifyGraph(graph);
  EXPECT_TRUE(valid.ok()) << MessageOf(valid);
  return inlined.value_or(-1);
}

std::string Refusal(Graph& graph) {
  FixupSourceAndSinkEdges(&graph);
  const absl::StatusOr<int> inlined = InlineFunctions(graph, {});
  return inlined.ok() ? "ok" : MessageOf(inlined.status());
}

constexpr char kX[] = "x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}";

// TensorFlow graph row 76: functions in place of their calls
TEST(InlineFunctions, NestedAndRepeated) {
  const auto graph = WithLibrary(kX);
  Node* x = graph->FindNode("x");
  Node* first = AddCall(*graph, "c1", "PartitionedCall", "four", {{x, 0}});
  Node* second = AddCall(*graph, "c2", "twice", "", {{first, 0}});
  graph->AddRetval("out", 0, {second, 0});
  EXPECT_EQ(Inline(*graph), 4);  // c1, its two calls, c2
  EXPECT_EQ(Inline(*graph), 0);
  const auto want = Parse(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}
    i1 = tf.Identity(x)
    i2 = tf.Identity(i1)
    s1 = tf.AddV2(i2, i2)
    o1 = tf.Identity(s1)
    i3 = tf.Identity(o1)
    s2 = tf.AddV2(i3, i3)
    o2 = tf.Identity(s2)
    o3 = tf.Identity(o2)
    i4 = tf.Identity(o3)
    s3 = tf.AddV2(i4, i4)
    o4 = tf.Identity(s3)
    out = ret(o4))");
  for (const char* name : {"c1/a/sum", "c1/b/sum", "c2/sum"})
    EXPECT_NE(graph->FindNode(name), nullptr) << name;
  EXPECT_EQ(Canonical(*graph), Canonical(*want));
}

TEST(InlineFunctions, NamesAreTensorFlows) {
  const auto graph = WithLibrary(kX);
  Node* call = AddCall(*graph, "call", "PartitionedCall", "twice", {{graph->FindNode("x"), 0}});
  graph->AddRetval("out", 0, {call, 0});
  Inline(*graph);
  EXPECT_NE(graph->FindNode("Func/call/input/_0"), nullptr);
  EXPECT_NE(graph->FindNode("Func/call/output/_1"), nullptr);
  EXPECT_EQ(graph->FindNode("call"), nullptr);
}

TEST(InlineFunctions, KeepsWhatIsFetchedByName) {
  const auto graph = WithLibrary(kX);
  Node* call = AddCall(*graph, "call", "PartitionedCall", "four", {{graph->FindNode("x"), 0}});
  AddCall(*graph, "idle", "twice", "", {{call, 0}});
  PassContext context;
  context.fetches = {"call:0", "call/a/sum"};
  EXPECT_EQ(Inline(*graph, context), 3);
  EXPECT_EQ(graph->FindNode("call")->op_name(), "IdentityN");
  EXPECT_EQ(graph->FindNode("call/a/sum")->op_name(), "AddV2");
  EXPECT_EQ(graph->FindNode("idle")->op_name(), "twice");  // prune removes it
}

TEST(InlineFunctions, DoesNotLookBehindWhatIsFed) {
  const auto graph = WithLibrary(kX);
  Node* before = AddCall(*graph, "before", "self", "", {{graph->FindNode("x"), 0}});
  Node* call = AddCall(*graph, "call", "twice", "", {{before, 0}});
  graph->AddRetval("out", 0, {call, 0});
  PassContext context;
  context.feeds = {{"before", std::nullopt}};
  EXPECT_EQ(Inline(*graph, context), 1);
}

TEST(InlineFunctions, ControlEdgesAndEffects) {
  const auto graph = WithLibrary(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2]}
    before = tf.NoOp(^x)
    after = tf.NoOp())");
  Node* call = AddCall(*graph, "call", "StatefulPartitionedCall", "store",
                       {{graph->FindNode("v"), 0}, {graph->FindNode("x"), 0}});
  graph->AddControlEdge(graph->FindNode("before"), call);
  graph->AddControlEdge(call, graph->FindNode("after"));
  Node* out = graph->AddRetval("out", 0, {call, 0});
  graph->AddControlEdge(graph->FindNode("after"), out);
  EXPECT_EQ(Inline(*graph), 1);
  const auto want = Parse(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2]}
    before = tf.NoOp(^x)
    start = tf.NoOp(^v, ^x, ^before)
    iv = tf.Identity(v, ^start)
    ix = tf.Identity(x, ^start)
    assign = tf.AssignVariableOp(iv, ix, ^start)
    one = const f32[] 1 (^start)
    done = tf.NoOp(^assign, ^one)
    o = tf.Identity(one, ^done)
    after = tf.NoOp(^done)
    out = ret(o, ^after))");
  EXPECT_EQ(Canonical(*graph), Canonical(*want));
}

TEST(InlineFunctions, LeavesControlFlowAndItsFunctions) {
  const auto graph = WithLibrary(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2]}
    p = const bool[] 1
    y = tf.If(p, x) {then_branch: @"four", else_branch: @"four", Tin: [DT_FLOAT], Tout: [DT_FLOAT]}
    out = ret(y))");
  EXPECT_EQ(Inline(*graph), 0);
  EXPECT_TRUE(graph->functions().Contains("four"));
  EXPECT_EQ(graph->functions().FindGradient("four"), "self");
}

TEST(InlineFunctions, RefusesRecursion) {
  const auto graph = WithLibrary(kX);
  const Output x{graph->FindNode("x"), 0};
  graph->AddRetval("o1", 0, {AddCall(*graph, "c1", "self", "", {x}), 0});
  graph->AddRetval("o2", 1, {AddCall(*graph, "c2", "PartitionedCall", "ping", {x}), 0});
  const std::string text = Refusal(*graph);
  EXPECT_THAT(text, HasSubstr("self 'c1': the function 'self' is recursive: self -> self"));
  EXPECT_THAT(
      text,
      HasSubstr("PartitionedCall 'c2': the function 'ping' is recursive: ping -> pong -> ping"));
}

TEST(InlineFunctions, SaysWhatDoesNotFit) {
  const auto graph = WithLibrary(kX);
  const Output x{graph->FindNode("x"), 0};
  graph->AddRetval("o1", 0, {AddCall(*graph, "c1", "PartitionedCall", "twice", {x, x}), 0});
  graph->AddRetval("o2", 1, {AddCall(*graph, "c2", "PartitionedCall", "gone", {x}), 0});
  graph->AddRetval("o3", 2, {AddCall(*graph, "c3", "PartitionedCall", "four", {x}, 2), 0});
  const std::string text = Refusal(*graph);
  EXPECT_THAT(
      text,
      HasSubstr("'c1': Inlining mismatch: Node inputs do not match function arguments: inputs=2"));
  EXPECT_THAT(text, HasSubstr("'c2': calls the function 'gone', which the model does not have"));
  EXPECT_THAT(
      text,
      HasSubstr("'c3': Inlining mismatch: Node outputs do not match function returns: outputs=2"));
}

// "zeros" has 4 MB, written as one number.
TEST(InlineFunctions, ConstantsOfBodiesTakeRoom) {
  for (const int64_t room : {int64_t{1} << 20, int64_t{5} << 20}) {
    const auto graph = Parse(kX);
    tf::FunctionDefLibrary library;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
      function {
        signature { name: "zeros" output_arg { name: "y" type: DT_FLOAT } } ret { key: "y" value: "c:output" }
        node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value {
          tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1048576 } } float_val: 0 } } } } })",
                                                              &library));
    ASSERT_TRUE(graph->functions().AddLibrary(library).ok());
    graph->AddRetval("o", 0, {AddCall(*graph, "c", "zeros", "", {}), 0});
    int64_t left = room;
    PassContext context;
    context.constant_room = &left;
    FixupSourceAndSinkEdges(graph.get());
    const bool fits = room > (4 << 20);
    EXPECT_EQ(InlineFunctions(*graph, context).ok(), fits);
    if (fits) {
      EXPECT_EQ(left, 1 << 20);
    }
  }
}

// f0 calls f1 twice, which calls f2 twice, and so on: 2^40 nodes.
TEST(InlineFunctions, GivesUpOnExplosions) {
  const auto graph = Parse(kX);
  tf::FunctionDefLibrary library;
  const std::string ends =
      "input_arg { name: 'x' type: DT_FLOAT } output_arg { name: 'y' type: DT_FLOAT } }";
  std::string text =
      "function { signature { name: 'f40' " + ends + " ret { key: 'y' value: 'x' } }";
  for (int i = 0; i < 40; ++i) {
    const std::string call = "op: 'f" + std::to_string(i + 1) + "' input: ";
    text += "function { signature { name: 'f" + std::to_string(i) + "' " + ends +
            " ret { key: 'y' value: 'b:y' } node_def { name: 'a' " + call +
            "'x' } node_def { name: 'b' " + call + "'a:y' } }";
  }
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &library));
  ASSERT_TRUE(graph->functions().AddLibrary(library).ok());
  Node* call = AddCall(*graph, "c", "f0", "", {{graph->FindNode("x"), 0}});
  Node* out = graph->AddRetval("o", 0, {call, 0});
  const absl::StatusOr<int> inlined = InlineCalls(graph.get(), {out}, {.max_nodes = 1000});
  EXPECT_THAT(MessageOf(inlined.status()), HasSubstr("functions grow to more than 1000 nodes"));
}

}  // namespace
}  // namespace linnet::converter
