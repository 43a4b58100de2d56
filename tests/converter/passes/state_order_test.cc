// SPDX-License-Identifier: Apache-2.0
// What models that assign variables compute, over several runs: state through branches, loops and
// functions, and the order that data and control edges give. Expected values follow TensorFlow's
// semantics: a node runs when all that it reads and waits for has run.
#include <algorithm>
#include <map>

#include "converter/graph/function_library.h"
#include "converter/graph/region_function.h"
#include "converter/graph/session_state.h"
#include "converter/graph/structured_node.h"
#include "converter/graph/text.h"
#include "converter/passes/pipeline.h"
#include "gmock/gmock.h"
#include "tests/conformance/evaluate_graph.h"
#include "tests/converter/passes/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// a = 10, b = -3, n = 0 (an int32).
class Checkpoint : public Variables {
 public:
  absl::StatusOr<Constant> Read(const std::string& name) const override {
    if (name == "a") return Constant::Of<float>(Shape{}, {10});
    if (name == "b") return Constant::Of<float>(Shape{}, {-3});
    if (name == "n") return Constant::Of<int32_t>(Shape{}, {0});
    return absl::NotFoundError("the checkpoint has no value for it");
  }
};

// A function's body as text. Its arguments are its `arg`s and, for handles, the VarHandleOps called
// "arg..", in the order of the text; its results the `ret`s.
struct TextFunction {
  std::string name, body;
};

void AddFunction(const TextFunction& text, Graph* graph) {
  Graph body(&graph->registry());
  ASSERT_TRUE(body.functions().AddLibrary(graph->functions()).ok());
  const absl::Status parsed = ParseGraph(text.body, &body);
  ASSERT_TRUE(parsed.ok()) << parsed << text.body;
  Region region;
  std::map<const Node*, int> arguments;
  for (const Node* node : body.op_nodes()) {
    const bool is_handle = node->op_name() == "VarHandleOp" && node->name().starts_with("arg");
    if (node->node_class() == NodeClass::kRetval) {
      region.results.push_back(node->input(0));
    } else if (is_handle || node->node_class() == NodeClass::kArg) {
      arguments.emplace(node, static_cast<int>(arguments.size()));
      region.arg_types.push_back(is_handle ? tf::DT_RESOURCE : node->tf_output_types()[0]);
    } else {
      region.nodes.push_back(node);
    }
  }
  region.resolve = [&](Output read) -> Output {
    const auto argument = arguments.find(read.node);
    return argument == arguments.end() ? read : Output{nullptr, argument->second};
  };
  const absl::Status added = graph->functions().Add(ToFunctionDef(text.name, region));
  ASSERT_TRUE(added.ok()) << added;
}

class StateOrder : public ::testing::Test {
 protected:
  void Function(std::string name, std::string body) {
    functions_.push_back({std::move(name), std::move(body)});
  }

  // Through the whole pipeline; "" or what is wrong.
  std::string Convert(const std::string& text) {
    graph_ = std::make_unique<Graph>(OpRegistry::Global());
    for (const TextFunction& function : functions_) AddFunction(function, graph_.get());
    const absl::Status parsed = ParseGraph(text, graph_.get());
    EXPECT_TRUE(parsed.ok()) << parsed << text;
    PassContext context;
    const Checkpoint checkpoint;
    context.variables = &checkpoint;
    const absl::Status status = RunPipeline(*graph_, context);
    states_.clear();
    return std::string(status.message().data(), status.message().size());
  }

  // The outputs of one more run, by index; `fed`: by the arg's name.
  std::vector<float> Run(const std::map<std::string, float>& fed = {}) {
    const auto argument = [&](const Node& arg) {
      if (IsState(arg)) {
        const auto kept = states_.find(StateName(arg));
        return kept != states_.end() ? kept->second : *Checkpoint().Read(StateName(arg));
      }
      const float value = fed.contains(arg.name()) ? fed.at(arg.name()) : 0.0f;
      if (arg.type().dtype == DType::kFloat32) return Constant::Of<float>(Shape{}, {value});
      if (arg.type().dtype == DType::kInt32)
        return Constant::Of<int32_t>(Shape{}, {static_cast<int32_t>(value)});
      void* data = nullptr;
      Constant flag = Constant::Allocate({DType::kBool, Shape{}}, &data);
      *static_cast<uint8_t*>(data) = value != 0 ? 1 : 0;
      return flag;
    };
    const auto results = conformance::EvaluateGraph(*graph_, argument);
    EXPECT_TRUE(results.ok()) << results.status();
    std::map<int64_t, float> outputs;
    if (!results.ok()) return {};
    for (const auto& [ret, value] : *results) {
      if (IsState(*ret))
        states_[StateName(*ret)] = value;
      else
        outputs[ret->FindAttr("index")->i()] = static_cast<float>(value.ScalarValue());
    }
    std::vector<float> values;
    for (const auto& [index, value] : outputs) values.push_back(value);
    return values;
  }

  float State(const std::string& name) const {
    return states_.contains(name) ? static_cast<float>(states_.at(name).ScalarValue()) : -1e9f;
  }

 private:
  std::vector<TextFunction> functions_;
  std::unique_ptr<Graph> graph_;
  std::map<std::string, Constant> states_;
};

constexpr char kEnds[] = R"(
    x = arg 0 f32[]
    p = arg 1 bool[]
    k = arg 2 i32[]
    a = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
    b = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
)";

std::string Model(std::string_view nodes) { return std::string(kEnds) + std::string(nodes); }

constexpr char kArgA[] = "arg_a = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}\n";
constexpr char kArgB[] = "arg_b = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}\n";

// --- Two variables, one graph.

TEST_F(StateOrder, FollowsControlEdgesThroughAnotherVariable) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    r1 = tf.ReadVariableOp(b, ^s1) {dtype: DT_FLOAT}
    s2 = tf.AssignVariableOp(a, r1)
    y = tf.ReadVariableOp(b, ^s2) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5));
  EXPECT_EQ(State("a"), 5);
}

TEST_F(StateOrder, AReadBeforeAnAssignmentSeesTheOldValue) {
  ASSERT_EQ(Convert(Model(R"(
    old = tf.ReadVariableOp(b) {dtype: DT_FLOAT}
    s1 = tf.AssignVariableOp(a, x, ^old)
    s2 = tf.AssignAddVariableOp(b, x, ^s1) {dtype: DT_FLOAT}
    new = tf.ReadVariableOp(b, ^s2) {dtype: DT_FLOAT}
    out = ret(old)
    out2 = ret 1(new))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(-3, 2));
  EXPECT_THAT(Run({{"x", 1}}), ElementsAre(2, 3));
}

TEST_F(StateOrder, HandlesOfOneNameAreOneVariable) {
  ASSERT_EQ(Convert(Model(R"(
    other = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[], shared_name: "a"}
    s1 = tf.AssignVariableOp(a, x)
    s2 = tf.AssignSubVariableOp(other, const f32[] 1, ^s1) {dtype: DT_FLOAT}
    y = tf.ReadVariableOp(a, ^s2) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(4));
}

// --- Branches.

class InBranches : public StateOrder {
 protected:
  void SetUp() override {
    Function("add_5", std::string(kArgA) + R"(
      five = const f32[] 5
      s = tf.AssignAddVariableOp(arg_a, five) {dtype: DT_FLOAT}
      r = tf.ReadVariableOp(arg_a, ^s) {dtype: DT_FLOAT}
      out = ret(r))");
    Function("read", std::string(kArgA) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      out = ret(r))");
    Function("set_b", std::string(kArgA) + std::string(kArgB) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      s = tf.AssignVariableOp(arg_b, r)
      out = ret(r))");
    Function("set_a", std::string(kArgA) + std::string(kArgB) + R"(
      r = tf.ReadVariableOp(arg_b) {dtype: DT_FLOAT}
      s = tf.AssignVariableOp(arg_a, r)
      out = ret(r))");
  }
};

TEST_F(InBranches, OneOfTwoAssigns) {
  for (const char* op : {"If", "StatelessIf"}) {
    ASSERT_EQ(Convert(Model(std::string("y = tf.") + op + R"((p, a) {then_branch: @"add_5",
        else_branch: @"read", Tcond: DT_BOOL, Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
      after = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
      before = tf.ReadVariableOp(a) {dtype: DT_FLOAT}
      out = ret(y)
      out2 = ret 1(after)
      out3 = ret 2(before))")),
              "");
    EXPECT_THAT(Run({{"p", 1}}), ElementsAre(15, 15, 10));
    EXPECT_THAT(Run({{"p", 0}}), ElementsAre(15, 15, 15));
    EXPECT_THAT(Run({{"p", 1}}), ElementsAre(20, 20, 15));
  }
}

TEST_F(InBranches, EachAssignsAnother) {
  ASSERT_EQ(Convert(Model(R"(
    y = tf.If(p, a, b) {then_branch: @"set_a", else_branch: @"set_b", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE, DT_RESOURCE], Tout: [DT_FLOAT]}
    ra = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    rb = tf.ReadVariableOp(b, ^y) {dtype: DT_FLOAT}
    out = ret(ra)
    out2 = ret 1(rb))")),
            "");
  EXPECT_THAT(Run({{"p", 1}}), ElementsAre(-3, -3));
  ASSERT_EQ(Convert(Model(R"(
    y = tf.If(p, a, b) {then_branch: @"set_a", else_branch: @"set_b", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE, DT_RESOURCE], Tout: [DT_FLOAT]}
    ra = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    rb = tf.ReadVariableOp(b, ^y) {dtype: DT_FLOAT}
    out = ret(ra)
    out2 = ret 1(rb))")),
            "");
  EXPECT_THAT(Run({{"p", 0}}), ElementsAre(10, 10));
}

TEST_F(InBranches, OnlyAControlEdgeNeedsTheBranch) {
  ASSERT_EQ(Convert(Model(R"(
    y = tf.If(p, a) {then_branch: @"add_5", else_branch: @"read", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out_x = tf.Identity(x, ^y)
    out = ret(out_x))")),
            "");
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(1));
  EXPECT_EQ(State("a"), 15);
}

TEST_F(InBranches, ABranchWaitsForWhatItsNodeWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.AssignVariableOp(a, x)
    y = tf.If(p, a, ^s) {then_branch: @"add_5", else_branch: @"read", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(6));
  EXPECT_THAT(Run({{"p", 0}, {"x", 2}}), ElementsAre(2));
}

TEST_F(InBranches, CaseOfThree) {
  ASSERT_EQ(Convert(Model(R"(
    y = tf.Case(k, a) {branches: [@"read", @"add_5", @"read"], Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    after = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    out = ret(after))")),
            "");
  EXPECT_THAT(Run({{"k", 0}}), ElementsAre(10));
  EXPECT_THAT(Run({{"k", 1}}), ElementsAre(15));
  EXPECT_THAT(Run({{"k", 7}}), ElementsAre(15));
}

TEST_F(InBranches, NestedInBranchesAndCalls) {
  Function("call", std::string(kArgA) + R"(
    c = tf.StatefulPartitionedCall(arg_a) {f: @"add_5", Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    r = tf.ReadVariableOp(arg_a, ^c) {dtype: DT_FLOAT}
    y = tf.AddV2(c, r)
    out = ret(y))");
  Function("inner", "q = arg bool[]\n" + std::string(kArgA) + R"(
    y = tf.If(q, arg_a) {then_branch: @"call", else_branch: @"read", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))");
  Function("not", "q = arg bool[]\n" + std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    out = ret(r))");
  ASSERT_EQ(Convert(Model(R"(
    big = tf.Greater(x, const f32[] 0)
    y = tf.If(big, p, a) {then_branch: @"inner", else_branch: @"not", Tcond: DT_BOOL,
      Tin: [DT_BOOL, DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(30));
  EXPECT_THAT(Run({{"p", 1}, {"x", -1}}), ElementsAre(15));
  EXPECT_THAT(Run({{"p", 0}, {"x", 1}}), ElementsAre(15));
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(40));
}

TEST_F(InBranches, HandlesInsideOfFunctions) {
  Function("own", R"(
    h = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[], shared_name: "a"}
    s = tf.AssignAddVariableOp(h, const f32[] 2) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(h, ^s) {dtype: DT_FLOAT}
    out = ret(r))");
  Function("zero", R"(
    z = const f32[] 0
    out = ret(z))");
  ASSERT_EQ(Convert(Model(R"(
    y = tf.If(p) {then_branch: @"own", else_branch: @"zero", Tcond: DT_BOOL, Tin: [], Tout: [DT_FLOAT]}
    r = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(r))")),
            "");
  EXPECT_THAT(Run({{"p", 1}}), ElementsAre(12, 12));
  EXPECT_THAT(Run({{"p", 0}}), ElementsAre(0, 12));
}

TEST_F(InBranches, AHandleThatMayBeOneOfTwoIsRefused) {
  Function("first", std::string(kArgA) + std::string(kArgB) + "out = ret(arg_a)");
  Function("second", std::string(kArgA) + std::string(kArgB) + "out = ret(arg_b)");
  EXPECT_THAT(Convert(Model(R"(
    h = tf.If(p, a, b) {then_branch: @"first", else_branch: @"second", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE, DT_RESOURCE], Tout: [DT_RESOURCE]}
    s = tf.AssignVariableOp(a, x)
    r = tf.ReadVariableOp(h, ^s) {dtype: DT_FLOAT}
    out = ret(r))")),
              HasSubstr("If 'h': may return the handle of the variable 'a'"));
}

// --- Loops.

class InLoops : public StateOrder {
 protected:
  void SetUp() override {
    Function("below", "i = arg i32[]\nn = arg i32[]\n" + std::string(kArgA) + R"(
      go = tf.Less(i, n)
      out = ret(go))");
    Function("double", "i = arg i32[]\nn = arg i32[]\n" + std::string(kArgA) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      twice = tf.AddV2(r, r)
      s = tf.AssignVariableOp(arg_a, twice)
      next = tf.AddV2(i, const i32[] 1)
      out = ret(next)
      out2 = ret 1(n)
      out3 = ret 2(arg_a))");
    Function("small", std::string(kArgA) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      go = tf.Less(r, const f32[] 50)
      out = ret(go))");
    Function("grow", std::string(kArgA) + R"(
      s = tf.AssignAddVariableOp(arg_a, const f32[] 7) {dtype: DT_FLOAT}
      out = ret(arg_a))");
  }
};

constexpr char kCounted[] = R"({cond: @"below", body: @"double",
    T: [DT_INT32, DT_INT32, DT_RESOURCE]})";

TEST_F(InLoops, CountedByAConstant) {
  ASSERT_EQ(Convert(Model(std::string("w = tf.While(const i32[] 0, const i32[] 3, a) ") + kCounted +
                          R"(
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run(), ElementsAre(80));
  EXPECT_THAT(Run(), ElementsAre(640));
}

TEST_F(InLoops, CountedByTheInput) {
  ASSERT_EQ(Convert(Model(std::string("w = tf.While(const i32[] 0, k, a) ") + kCounted + R"(
    r = tf.ReadVariableOp(w:2) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run({{"k", 0}}), ElementsAre(10));
  EXPECT_THAT(Run({{"k", 2}}), ElementsAre(40));
}

TEST_F(InLoops, AConditionThatReadsWhatTheBodyAssigns) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.AssignVariableOp(a, x)
    w = tf.While(a, ^s) {cond: @"small", body: @"grow", T: [DT_RESOURCE]}
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run({{"x", 1}}), ElementsAre(50));
  EXPECT_THAT(Run({{"x", 45}}), ElementsAre(52));
  EXPECT_THAT(Run({{"x", 60}}), ElementsAre(60));
}

TEST_F(InLoops, ABranchInsideOfALoop) {
  Function("add_1", std::string(kArgA) + R"(
    s = tf.AssignAddVariableOp(arg_a, const f32[] 1) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(arg_a, ^s) {dtype: DT_FLOAT}
    out = ret(r))");
  Function("negate", std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    m = tf.Neg(r)
    s = tf.AssignVariableOp(arg_a, m)
    out = ret(m))");
  Function("go_on", "i = arg i32[]\n" + std::string(kArgA) + R"(
    go = tf.Less(i, const i32[] 4)
    out = ret(go))");
  Function("step", "i = arg i32[]\n" + std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    big = tf.Greater(r, const f32[] 11)
    y = tf.If(big, arg_a, ^r) {then_branch: @"negate", else_branch: @"add_1", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    next = tf.AddV2(i, const i32[] 1)
    out = ret(next)
    out2 = ret 1(arg_a))");
  ASSERT_EQ(Convert(Model(R"(
    w = tf.While(const i32[] 0, a) {cond: @"go_on", body: @"step", T: [DT_INT32, DT_RESOURCE]}
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run(), ElementsAre(-11));  // 11, 12, -12, -11
}

TEST_F(InLoops, AConditionThatAssignsIsRefused) {
  Function("count", std::string(kArgA) + R"(
    s = tf.AssignAddVariableOp(arg_a, const f32[] 1) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(arg_a, ^s) {dtype: DT_FLOAT}
    go = tf.Less(r, const f32[] 50)
    out = ret(go))");
  EXPECT_THAT(Convert(Model(R"(
    w = tf.While(a) {cond: @"count", body: @"grow", T: [DT_RESOURCE]}
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
              HasSubstr("While 'w': has a condition that assigns the variable 'a'"));
}

// --- Calls are run whole.

TEST_F(StateOrder, ACallWaitsForAllItsArguments) {
  Function("read_first", std::string(kArgA) + "unused = arg f32[]\n" + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    out = ret(r))");
  for (const char* op : {"PartitionedCall", "StatefulPartitionedCall"}) {
    ASSERT_EQ(Convert(Model(
                  std::string(R"(
      s = tf.AssignVariableOp(a, x)
      late = tf.Identity(x, ^s)
      y = tf.)") + op +
                  R"((a, late) {f: @"read_first", Tin: [DT_RESOURCE, DT_FLOAT], Tout: [DT_FLOAT]}
      out = ret(y))")),
              "");
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5));
  }
}

TEST_F(StateOrder, WhoUsesAResultComesBehindTheWholeCall) {
  Function("store", std::string(kArgA) + "v = arg f32[]\n" + R"(
    old = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    s = tf.AssignVariableOp(arg_a, v, ^old)
    one = const f32[] 1
    out = ret(one)
    out2 = ret 1(v)
    out3 = ret 2(old))");
  for (const char* used : {"c", "c:1", "c:2"}) {
    ASSERT_EQ(Convert(Model(std::string(R"(
      c = tf.StatefulPartitionedCall(a, x) {f: @"store", Tin: [DT_RESOURCE, DT_FLOAT],
        Tout: [DT_FLOAT, DT_FLOAT, DT_FLOAT]}
      s = tf.AssignAddVariableOp(a, )") +
                            used + R"() {dtype: DT_FLOAT}
      y = tf.ReadVariableOp(a, ^s) {dtype: DT_FLOAT}
      out = ret(y)
      out2 = ret 1(c:2))")),
              "");
    const float added = used[1] == '\0' ? 1 : used[2] == '1' ? 5 : 10;
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5 + added, 10)) << used;
  }
}

TEST_F(StateOrder, AResultThatWasReadIsNotReadAgain) {
  Function("both", std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    one = const f32[] 1
    out = ret(r)
    out2 = ret 1(one))");
  // The assignment reads only the constant, but the call has read the variable by then.
  ASSERT_EQ(Convert(Model(R"(
    c = tf.PartitionedCall(a) {f: @"both", Tin: [DT_RESOURCE], Tout: [DT_FLOAT, DT_FLOAT]}
    s = tf.AssignVariableOp(a, c:1)
    y = tf.Identity(c, ^s)
    out = ret(y))")),
            "");
  EXPECT_THAT(Run(), ElementsAre(10));
  EXPECT_EQ(State("a"), 1);
}

// --- Control flow of TensorFlow 1.

TEST_F(StateOrder, WhatASwitchWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    s = tf.Switch(x, p, ^s1)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, -5));
}

TEST_F(StateOrder, WhatAMergeWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    s = tf.Switch(x, p)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n, ^s1)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5));
}

TEST_F(StateOrder, WhatOnlyAMergeWaitsForInABranch) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.Switch(x, p)
    set = tf.AssignVariableOp(b, s:1)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n, ^set)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(-3));
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5));
}

TEST_F(StateOrder, WhatAPredicateWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    late = tf.Identity(p, ^s1)
    first = tf.Switch(x, p)
    n1 = tf.Neg(first:1)
    m1 = tf.Merge(first, n1)
    second = tf.Switch(m1, late)
    n2 = tf.Neg(second:1)
    m2 = tf.Merge(second, n2)
    y = tf.ReadVariableOp(b, ^m2) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m2))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, 5));
}

TEST_F(StateOrder, WhatAConstantPredicateWaitsFor) {
  for (const char* waits : {"(yes, ^s1)", "(yes)"}) {
    const bool by_predicate = std::string_view(waits).size() > 5;
    ASSERT_EQ(Convert(Model(std::string("s1 = tf.AssignVariableOp(b, x)\nyes = const bool[] 1\n") +
                            "pid = tf.Identity" + waits + "\ns = tf.Switch(x, pid" +
                            (by_predicate ? ")" : ", ^s1)") + R"(
      n = tf.Neg(s:1)
      m = tf.Merge(s, n)
      y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
      out = ret(y))")),
              "");
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5)) << waits;
  }
}

TEST_F(StateOrder, ABranchOnlyTiedByItsPivot) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    late = tf.Identity(p, ^s1)
    pivot = tf.Switch(late, p)
    yes = tf.Identity(pivot:1)
    no = tf.Identity(pivot)
    r = tf.ReadVariableOp(b, ^yes) {dtype: DT_FLOAT}
    zero = const f32[] 0 (^no)
    m = tf.Merge(zero, r)
    out = ret(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5));
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(0));
}

TEST_F(StateOrder, ALargeConstantThatWaitsInABranch) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.Switch(x, p)
    set = tf.AssignVariableOp(b, s:1)
    large = const f32[400] fill=2 (^set)
    sum = tf.Sum(large, const i32[] 0)
    m = tf.Merge(s, sum)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, 800));
}

constexpr char kOldLoop[] = R"(
    ie = tf.Enter(const i32[] 0%ENTER%) {frame_name: "w"}
    ae = tf.Enter(a) {frame_name: "w", is_constant: true}
    ke = tf.Enter(k) {frame_name: "w", is_constant: true}
    im = tf.Merge(ie, in)
    less = tf.Less(im, ke)
    go = tf.LoopCond(less)
    is = tf.Switch(im, go)
    ii = tf.Identity(is:1)
    add = tf.AssignAddVariableOp(ae, const f32[] 3, ^ii) {dtype: DT_FLOAT}
    next = tf.AddV2(ii, const i32[] 1)
    in = tf.NextIteration(next, ^add)
    iexit = tf.Exit(is)
    r = tf.ReadVariableOp(a, ^iexit) {dtype: DT_FLOAT}
    out = ret(r))";

std::string OldLoop(const std::string& enter) {
  std::string text = kOldLoop;
  const std::string_view mark = "%ENTER%";
  return text.replace(text.find(mark), mark.size(), enter);
}

TEST_F(StateOrder, ALoopsNextIterationWaitsForAnAssignment) {
  ASSERT_EQ(Convert(Model(OldLoop(""))), "");
  EXPECT_THAT(Run({{"k", 4}}), ElementsAre(22));
  EXPECT_THAT(Run({{"k", 0}}), ElementsAre(22));
  EXPECT_THAT(Run({{"k", 1}}), ElementsAre(25));
}

TEST_F(StateOrder, WhatAnEnterWaitsFor) {
  ASSERT_EQ(Convert(Model("s1 = tf.AssignVariableOp(a, x)\n" + OldLoop(", ^s1"))), "");
  EXPECT_THAT(Run({{"k", 2}, {"x", 1}}), ElementsAre(7));
}

TEST_F(StateOrder, AnOldLoopThatNeverRuns) {
  std::string text = OldLoop(", ^s1");
  text.replace(text.find("tf.LoopCond(less)"), 17, "tf.LoopCond(const bool[] 0)");
  ASSERT_EQ(Convert(Model("s1 = tf.AssignVariableOp(a, x)\n" + text)), "");
  EXPECT_THAT(Run({{"k", 2}, {"x", 1}}), ElementsAre(1));
}

// --- References.

constexpr char kReferences[] = R"(
    va = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[], shared_name: "a"}
    vb = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[], shared_name: "b"}
)";

TEST_F(StateOrder, ASwitchOfAReference) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    sv = tf.RefSwitch(va, p)
    n = tf.Neg(sv:1)
    m = tf.Merge(sv, n)
    y = tf.Identity(va, ^m)
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"p", 1}}), ElementsAre(10, -10));
  EXPECT_THAT(Run({{"p", 0}}), ElementsAre(10, 10));
}

TEST_F(StateOrder, ReferencesAreAssignedAndRead) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    s1 = tf.Assign(va, x)
    s2 = tf.AssignAdd(s1, x)
    twice = tf.Mul(s2, const f32[] 2)
    s3 = tf.AssignSub(vb, x, ^s2)
    y = tf.Identity(va, ^s3)
    out = ret(y)
    out2 = ret 1(twice)
    out3 = ret 2(s3))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(10, 20, -8));
  EXPECT_THAT(Run({{"x", 1}}), ElementsAre(2, 4, -9));
}

TEST_F(StateOrder, AReferenceIsReadWhenItsReaderRuns) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    s1 = tf.Assign(va, x)
    y = tf.AddV2(va, x, ^s1)
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(10));
}

TEST_F(StateOrder, AReferenceIsAssignedInABranch) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    sv = tf.RefSwitch(va, p)
    sx = tf.Switch(x, p)
    set = tf.Assign(sv:1, sx:1)
    m = tf.Merge(sx, set)
    y = tf.Identity(va, ^m)
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(10, 5));
  EXPECT_THAT(Run({{"x", 6}, {"p", 1}}), ElementsAre(6, 6));
}

TEST_F(StateOrder, OtherChangesOfReferencesAreRefused) {
  EXPECT_THAT(Convert(Model(R"(
    v = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[2]}
    s = tf.ScatterAdd(v, k, x) {Tindices: DT_INT32}
    out = ret(s))")),
              HasSubstr("ScatterAdd 's': changes the variable 'v' in a way that is not supported"));
}

// --- What else was dropped or failed only when the plan ran.

TEST_F(StateOrder, AnEmptyConstantInABranch) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.Switch(x, p)
    w = tf.Identity(s:1)
    e = const f32[0] fill=0 (^w)
    one = tf.Reshape(w, const i32[1] {1})
    c = tf.ConcatV2(one, e, const i32[] 0)
    sum = tf.Sum(c, const i32[] 0)
    n = tf.Neg(sum)
    m = tf.Merge(s, n)
    out = ret(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(-5));
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(5));
}

TEST_F(StateOrder, AWriteToATableInAFunctionThatNobodyReadsIsRefused) {
  Function("insert", R"(
    t = tf.MutableHashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
    w = tf.LookupTableInsertV2(t, const i64[1] {1}, const i64[1] {2})
    z = const f32[] 0
    out = ret(z))");
  Function("zero", R"(
    z = const f32[] 0
    out = ret(z))");
  EXPECT_THAT(Convert(Model(R"(
    y = tf.If(p) {then_branch: @"insert", else_branch: @"zero", Tcond: DT_BOOL, Tin: [], Tout: [DT_FLOAT]}
    out = ret(y))")),
              HasSubstr("LookupTableInsertV2 'insert/w': it changes a hash table"));
}

}  // namespace
}  // namespace linnet::converter
