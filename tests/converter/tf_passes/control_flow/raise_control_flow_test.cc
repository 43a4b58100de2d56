// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "converter/functions/function_body.h"
#include "converter/graph/tensorflow/function_library.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

std::string StatusText(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

// The function as canonical text, a line for each node, or why there is none.
std::string FunctionText(const Graph& graph, const std::string& name) {
  const auto function = graph.functions().Share(name);
  if (function == nullptr) return "no function " + name;
  int64_t constant_room = kMostExpandedBytes;
  const FunctionContext context{&graph.registry(), &graph.functions(), graph.versions(),
                                &constant_room, nullptr};
  absl::StatusOr<FunctionBody> body = InstantiateFunction(function, {}, context);
  if (!body.ok()) return StatusText(body.status());
  std::string text = Canonical(*body->graph);
  for (size_t at = text.find("\n"); at != std::string::npos; at = text.find("\n", at))
    text.replace(at, 1, at + 1 == text.size() ? "" : "; ");
  return text;
}

using Functions = std::vector<std::pair<std::string, std::string>>;

// `before` becomes `after`, and these functions.
void ExpectRaised(std::string_view before, std::string_view after, const Functions& functions) {
  ExpectRewritten(RaiseControlFlow, before, after);
  const std::unique_ptr<Graph> graph = Parse(before);
  ASSERT_TRUE(RaiseControlFlow(*graph, {}).ok());
  EXPECT_EQ(graph->functions().num_functions(), static_cast<int>(functions.size()));
  for (const auto& [name, text] : functions) EXPECT_EQ(FunctionText(*graph, name), text) << name;
}

TEST(RaiseControlFlow, LoopWithTwoVariables) {
  ExpectRaised(
      R"(
    x = arg f32[2]
    i0 = const i32[] 0
    i = tf.Enter(i0) {frame_name: "w/while_context"}
    y = tf.Enter(x) {frame_name: "w/while_context"}
    im = tf.Merge(i, in)
    ym = tf.Merge(y, yn)
    five = const i32[] 5 (^im)
    less = tf.Less(im, five)
    go = tf.LoopCond(less)
    is = tf.Switch(im, go)
    ys = tf.Switch(ym, go)
    ii = tf.Identity(is:1)
    one = const i32[] 1 (^ii)
    add = tf.AddV2(ii, one)
    mul = tf.Mul(ys:1, ys:1)
    in = tf.NextIteration(add)
    yn = tf.NextIteration(mul)
    ie = tf.Exit(is)
    ye = tf.Exit(ys)
    a = ret(ye)
    b = ret(ie))",
      R"(
    x = arg f32[2]
    w = tf.StatelessWhile(const i32[] 0, x) {cond: @"w_cond", body: @"w_body", T: [DT_INT32, DT_FLOAT], _lower_using_switch_merge: true}
    a = ret(w:1)
    b = ret(w))",
      {{"w_cond",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = const i32[] 5; n3 = tf.Less(n0, n2); n4 = ret 0(n3)"},
       {"w_body",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = tf.Identity(n0); n3 = const i32[] 1 (^n2); n4 = "
        "tf.AddV2(n2, n3); n5 = ret 0(n4); n6 = tf.Mul(n1, n1); n7 = ret 1(n6)"}});
}

// w is only read; 0.5 has lost its control edge, the large constant has not.
TEST(RaiseControlFlow, LoopWithInvariants) {
  ExpectRaised(
      R"(
    x = arg f32[512]
    v = arg f32[512]
    y = tf.Enter(x) {frame_name: "w"}
    we = tf.Enter(v) {frame_name: "w", is_constant: true}
    ym = tf.Merge(y, yn)
    zero = const i32[] 0 (^ym)
    all = tf.Max(ym, zero) {keep_dims: false}
    less = tf.Less(all, const f32[] 0.5)
    go = tf.LoopCond(less)
    ys = tf.Switch(ym, go)
    yi = tf.Identity(ys:1)
    big = const f32[512] fill=1 (^yi)
    sum = tf.AddV2(yi, we)
    more = tf.AddV2(sum, big)
    yn = tf.NextIteration(more)
    ye = tf.Exit(ys)
    out = ret(ye))",
      R"(
    x = arg f32[512]
    v = arg f32[512]
    big = const f32[512] fill=1
    l = tf.StatelessWhile(x, big, v) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT, DT_FLOAT, DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(l))",
      {{"w_cond",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = const i32[] 0; n4 = tf.Max(n0, n3); n5 = "
        "const f32[] 0.5; n6 = tf.Less(n4, n5); n7 = ret 0(n6)"},
       {"w_body",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = tf.Identity(n0); n4 = tf.AddV2(n3, n2); n5 "
        "= tf.AddV2(n4, n1); n6 = ret 0(n5); n7 = ret 1(n1); n8 = ret 2(n2)"}});
}

// for (i = 0; i < n; ++i) for (j = i; j < n; ++j) y *= y. The inner loop's bound was entered twice.
constexpr char kNestedLoops[] = R"(
    y0 = arg f32[]
    n = arg i32[]
    i1 = tf.Enter(const i32[] 0) {frame_name: "o"}
    y1 = tf.Enter(y0) {frame_name: "o"}
    n1 = tf.Enter(n) {frame_name: "o", is_constant: true}
    im = tf.Merge(i1, in)
    ym = tf.Merge(y1, yn)
    go = tf.LoopCond(il)
    il = tf.Less(im, n1)
    is = tf.Switch(im, go)
    ys = tf.Switch(ym, go)
    ia = tf.AddV2(is:1, const i32[] 1)
    in = tf.NextIteration(ia)
    j2 = tf.Enter(is:1) {frame_name: "o/i"}
    y2 = tf.Enter(ys:1) {frame_name: "o/i"}
    n2 = tf.Enter(n1) {frame_name: "o/i", is_constant: true}
    jm = tf.Merge(j2, jn)
    zm = tf.Merge(y2, zn)
    jl = tf.Less(jm, n2)
    go2 = tf.LoopCond(jl)
    js = tf.Switch(jm, go2)
    zs = tf.Switch(zm, go2)
    ja = tf.AddV2(js:1, const i32[] 1)
    jn = tf.NextIteration(ja)
    za = tf.Mul(zs:1, zs:1)
    zn = tf.NextIteration(za)
    ze = tf.Exit(zs)
    yn = tf.NextIteration(ze)
    ye = tf.Exit(ys)
    out = ret(ye))";

TEST(RaiseControlFlow, NestedLoops) {
  ExpectRaised(
      kNestedLoops, R"(
    y = arg f32[]
    n = arg i32[]
    o = tf.StatelessWhile(const i32[] 0, y, n) {cond: @"o_cond", body: @"o_body", T: [DT_INT32, DT_FLOAT, DT_INT32], _lower_using_switch_merge: true}
    out = ret(o:1))",
      {{"o_cond", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = tf.Less(n0, n2); n4 = ret 0(n3)"},
       {"o_body",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = const i32[] 1; n4 = tf.AddV2(n0, n3); n5 = "
        "ret 0(n4); n6 = tf.StatelessWhile(n0, n1, n2) {_lower_using_switch_merge: true, "
        "body: @\"o_i_body\", cond: @\"o_i_cond\"}; "
        "n7 = ret 1(n6:1); n8 = ret 2(n2)"},
       {"o_i_cond",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = tf.Less(n0, n2); n4 = ret 0(n3)"},
       {"o_i_body",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = const i32[] 1; n4 = tf.AddV2(n0, n3); n5 = "
        "ret 0(n4); n6 = tf.Mul(n1, n1); n7 = ret 1(n6); n8 = ret 2(n2)"}});
}

// A loop whose condition is `condition`, and whose result is read by `out`.
std::string LoopWhile(std::string_view condition, std::string_view out) {
  std::string text(R"(
    x = arg f32[]
    y = tf.Enter(x) {frame_name: "w"}
    m = tf.Merge(y, n)
    go = tf.LoopCond()");
  text += condition;
  text += R"()
    s = tf.Switch(m, go)
    a = tf.Mul(s:1, s:1)
    n = tf.NextIteration(a)
    e = tf.Exit(s)
    out = ret()";
  text += out;
  return text + ")";
}

TEST(RaiseControlFlow, LoopsThatNeverRun) {
  ExpectRaised(LoopWhile("const bool[] 0", "e"), "x = arg f32[] out = ret(x)", {});
  ExpectRaised(LoopWhile("const bool[] 1", "x"), "x = arg f32[] out = ret(x)", {});
}

constexpr char kBranches[] = R"(
    x = arg f32[]
    y = arg f32[]
    p = arg bool[]
    pid = tf.Identity(p)
    ps = tf.Switch(p, p)
    t = tf.Identity(ps:1)
    f = tf.Identity(ps)
    xs = tf.Switch(x, pid)
    ys = tf.Switch(y, pid)
    a = tf.Mul(xs:1, ys:1)
    three = const f32[] 3 (^f)
    b = tf.AddV2(xs, three)
    m = tf.Merge(b, a)
)";

constexpr char kThen[] = "n0 = arg 0 ?; n1 = arg 1 ?; n2 = tf.Mul(n0, n1); n3 = ret 0(n2)";
constexpr char kElse[] =
    "n0 = arg 0 ?; n1 = arg 1 ?; n2 = const f32[] 3; n3 = tf.AddV2(n0, n2); n4 = ret 0(n3)";

TEST(RaiseControlFlow, Conditional) {
  ExpectRaised(std::string(kBranches) + "out = ret(m)", R"(
    x = arg f32[]
    y = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x, y) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(i))",
               {{"m_then", kThen}, {"m_else", kElse}});
}

// value_index says which input of the Merge it was.
TEST(RaiseControlFlow, ValueIndex) {
  ExpectRaised(std::string(kBranches) + "out = ret(m:1)", R"(
    x = arg f32[]
    y = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x, y) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT, DT_INT32], _lower_using_switch_merge: true}
    out = ret(i:1))",
               {{"m_then", std::string(kThen) + "; n4 = const i32[] 1; n5 = ret 1(n4)"},
                {"m_else", std::string(kElse) + "; n5 = const i32[] 0; n6 = ret 1(n5)"}});
}

TEST(RaiseControlFlow, ConstantPredicates) {
  const std::string text = std::string(kBranches) + "out = ret(m) which = ret(m:1)";
  const auto with = [&](const char* p) {
    std::string fixed = text;
    return fixed.replace(fixed.find("p = arg bool[]"), 14, p);
  };
  ExpectRaised(with("p = const bool[] 1"), R"(
    x = arg f32[]
    y = arg f32[]
    a = tf.Mul(x, y)
    out = ret(a)
    which = ret(const i32[] 1))",
               {});
  const std::unique_ptr<Graph> graph = Parse(with("p = const bool[] 0"));
  ASSERT_TRUE(RaiseControlFlow(*graph, {}).ok());
  EXPECT_EQ(graph->FindNode("a"), nullptr);
  EXPECT_EQ(graph->FindNode("m"), nullptr);
  EXPECT_NE(graph->FindNode("b"), nullptr);
}

// As models lie in tfjs: nothing says where the constants belong but the Merge's other input.
TEST(RaiseControlFlow, ConstantsWithoutControlEdges) {
  ExpectRaised(R"(
    x = arg f32[]
    p = arg bool[]
    q = arg bool[]
    xs = tf.Switch(x, p)
    qs = tf.Switch(q, p)
    xss = tf.Switch(xs:1, qs:1)
    n = tf.Neg(xss)
    inner = tf.Merge(n, const f32[] 2)
    outer = tf.Merge(const f32[] 5, inner)
    out = ret(outer))",
               R"(
    x = arg f32[]
    p = arg bool[]
    q = arg bool[]
    i = tf.StatelessIf(p, q, x) {then_branch: @"outer_then", else_branch: @"outer_else", Tin: [DT_BOOL, DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(i))",
               {{"outer_then",
                 "n0 = arg 0 ?; n1 = arg 1 ?; n2 = tf.StatelessIf(n0, n1) {Tout: [DT_FLOAT], "
                 "_lower_using_switch_merge: true, "
                 "else_branch: @\"inner_else\", then_branch: @\"inner_then\"}; n3 = ret 0(n2)"},
                {"outer_else", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = const f32[] 5; n3 = ret 0(n2)"},
                {"inner_then", "n0 = arg 0 ?; n1 = const f32[] 2; n2 = ret 0(n1)"},
                {"inner_else", "n0 = arg 0 ?; n1 = tf.Neg(n0); n2 = ret 0(n1)"}});
}

// The same predicate twice, with a Switch that both share (TensorFlow's optimiser does that): the
// second needs the first.
TEST(RaiseControlFlow, OnePredicateTwice) {
  ExpectRaised(R"(
    x = arg f32[]
    p = arg bool[]
    xs = tf.Switch(x, p)
    a = tf.Neg(xs)
    m = tf.Merge(a, xs:1)
    e = tf.Exp(m)
    es = tf.Switch(e, p)
    b = tf.AddV2(es:1, xs:1)
    k = tf.Merge(es, b)
    out = ret(k))",
               R"(
    x = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    e = tf.Exp(i)
    k = tf.StatelessIf(p, e, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(k))",
               {{"m_then", "n0 = arg 0 ?; n1 = ret 0(n0)"},
                {"m_else", "n0 = arg 0 ?; n1 = tf.Neg(n0); n2 = ret 0(n1)"},
                {"k_then", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = tf.AddV2(n0, n1); n3 = ret 0(n2)"},
                {"k_else", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = ret 0(n0)"}});
}

// As before, with nothing between the two.
TEST(RaiseControlFlow, OnePredicateTwiceInARow) {
  ExpectRaised(R"(
    x = arg f32[]
    p = arg bool[]
    xs = tf.Switch(x, p)
    a = tf.Neg(xs)
    m = tf.Merge(a, xs:1)
    es = tf.Switch(m, p)
    b = tf.AddV2(es:1, xs:1)
    k = tf.Merge(es, b)
    out = ret(k))",
               R"(
    x = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    k = tf.StatelessIf(p, i, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(k))",
               {{"m_then", "n0 = arg 0 ?; n1 = ret 0(n0)"},
                {"m_else", "n0 = arg 0 ?; n1 = tf.Neg(n0); n2 = ret 0(n1)"},
                {"k_then", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = tf.AddV2(n0, n1); n3 = ret 0(n2)"},
                {"k_else", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = ret 0(n0)"}});
}

TEST(RaiseControlFlow, OneConditionalDecidesAnother) {
  ExpectRaised(R"(
    x = arg f32[]
    p = arg bool[]
    q = arg bool[]
    qs = tf.Switch(q, p)
    a = tf.LogicalNot(qs)
    m = tf.Merge(a, qs:1)
    id = tf.Identity(m)
    xs = tf.Switch(x, id)
    n = tf.Neg(xs)
    k = tf.Merge(n, xs:1)
    out = ret(k))",
               R"(
    x = arg f32[]
    p = arg bool[]
    q = arg bool[]
    i = tf.StatelessIf(p, q) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_BOOL], Tout: [DT_BOOL], _lower_using_switch_merge: true}
    k = tf.StatelessIf(i, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(k))",
               {{"m_then", "n0 = arg 0 ?; n1 = ret 0(n0)"},
                {"m_else", "n0 = arg 0 ?; n1 = tf.LogicalNot(n0); n2 = ret 0(n1)"},
                {"k_then", "n0 = arg 0 ?; n1 = ret 0(n0)"},
                {"k_else", "n0 = arg 0 ?; n1 = tf.Neg(n0); n2 = ret 0(n1)"}});
}

TEST(RaiseControlFlow, ConditionalInLoop) {
  ExpectRaised(
      R"(
    x = arg f32[]
    y = tf.Enter(x) {frame_name: "w"}
    m = tf.Merge(y, n)
    c = tf.Less(m, const f32[] 9)
    go = tf.LoopCond(c)
    s = tf.Switch(m, go)
    q = tf.Less(s:1, const f32[] 3)
    t = tf.Switch(s:1, q)
    a = tf.Mul(t, t)
    b = tf.Exp(t:1)
    k = tf.Merge(a, b)
    n = tf.NextIteration(k)
    e = tf.Exit(s)
    out = ret(e))",
      R"(
    x = arg f32[]
    w = tf.StatelessWhile(x) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(w))",
      {{"w_cond", "n0 = arg 0 ?; n1 = const f32[] 9; n2 = tf.Less(n0, n1); n3 = ret 0(n2)"},
       {"w_body",
        "n0 = arg 0 ?; n1 = const f32[] 3; n2 = tf.Less(n0, n1); n3 = tf.StatelessIf(n2, n0) "
        "{Tout: [DT_FLOAT], _lower_using_switch_merge: true, else_branch: @\"k_else\", "
        "then_branch: @\"k_then\"}; n4 = ret 0(n3)"},
       {"k_then", "n0 = arg 0 ?; n1 = tf.Exp(n0); n2 = ret 0(n1)"},
       {"k_else", "n0 = arg 0 ?; n1 = tf.Mul(n0, n0); n2 = ret 0(n1)"}});
}

TEST(RaiseControlFlow, LoopInConditional) {
  ExpectRaised(
      R"(
    x = arg f32[]
    p = arg bool[]
    xs = tf.Switch(x, p)
    y = tf.Enter(xs:1) {frame_name: "w"}
    m = tf.Merge(y, n)
    c = tf.Less(m, const f32[] 9)
    go = tf.LoopCond(c)
    s = tf.Switch(m, go)
    a = tf.Mul(s:1, s:1)
    n = tf.NextIteration(a)
    e = tf.Exit(s)
    k = tf.Merge(xs, e)
    out = ret(k))",
      R"(
    x = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(i))",
      {{"k_then",
        "n0 = arg 0 ?; n1 = tf.StatelessWhile(n0) {_lower_using_switch_merge: true, body: "
        "@\"w_body\", "
        "cond: @\"w_cond\"}; n2 = ret "
        "0(n1)"},
       {"k_else", "n0 = arg 0 ?; n1 = ret 0(n0)"},
       {"w_cond", "n0 = arg 0 ?; n1 = const f32[] 9; n2 = tf.Less(n0, n1); n3 = ret 0(n2)"},
       {"w_body", "n0 = arg 0 ?; n1 = tf.Mul(n0, n0); n2 = ret 0(n1)"}});
}

// Handles of TensorArrays and variables just pass; a variable is read outside.
TEST(RaiseControlFlow, ResourcesAndState) {
  ExpectRaised(
      R"(
    x = arg f32[]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
    ta = tf.TensorArrayV3(const i32[] 4) {dtype: DT_FLOAT}
    f = tf.Enter(ta:1) {frame_name: "w"}
    h = tf.Enter(ta) {frame_name: "w", is_constant: true}
    ve = tf.Enter(v) {frame_name: "w", is_constant: true}
    m = tf.Merge(f, n)
    c = tf.Less(m, const f32[] 9)
    go = tf.LoopCond(c)
    s = tf.Switch(m, go)
    r = tf.ReadVariableOp(ve) {dtype: DT_FLOAT}
    a = tf.TensorArrayWriteV3(h, const i32[] 1, r, s:1)
    n = tf.NextIteration(a)
    e = tf.Exit(s)
    out = ret(e))",
      R"(
    x = arg f32[]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
    ta = tf.TensorArrayV3(const i32[] 4) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(v) {dtype: DT_FLOAT}
    w = tf.While(ta:1, ta, r) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT, DT_RESOURCE, DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(w))",
      {{"w_cond",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = const f32[] 9; n4 = tf.Less(n0, n3); n5 = "
        "ret 0(n4)"},
       {"w_body",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = arg 2 ?; n3 = const i32[] 1; n4 = "
        "tf.TensorArrayWriteV3(n1, n3, n2, n0); n5 = ret 0(n4); n6 = ret 1(n1); n7 = ret 2(n2)"}});
}

TEST(RaiseControlFlow, ReadsOfAssignedVariablesStay) {
  ExpectRaised(
      R"(
    x = arg f32[]
    p = arg bool[]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
    set = tf.AssignVariableOp(v, x)
    pid = tf.Identity(p, ^set)
    vs = tf.Switch(v, pid)
    xs = tf.Switch(x, pid)
    r = tf.ReadVariableOp(vs:1) {dtype: DT_FLOAT}
    m = tf.Merge(xs, r)
    out = ret(m))",
      R"(
    x = arg f32[]
    p = arg bool[]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
    set = tf.AssignVariableOp(v, x)
    pid = tf.Identity(p, ^set)
    i = tf.If(pid, v, x) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_RESOURCE, DT_FLOAT], Tout: [DT_FLOAT], _lower_using_switch_merge: true}
    out = ret(i))",
      {{"m_then",
        "n0 = arg 0 ?; n1 = arg 1 ?; n2 = tf.ReadVariableOp(n0) {dtype: DT_FLOAT}; n3 = ret 0(n2)"},
       {"m_else", "n0 = arg 0 ?; n1 = arg 1 ?; n2 = ret 0(n1)"}});
}

TEST(RaiseControlFlow, LeavesTheRestAlone) {
  ExpectUnchanged(RaiseControlFlow, "x = arg f32[] y = tf.Neg(x) out = ret(y)");
}

}  // namespace
}  // namespace linnet::converter
