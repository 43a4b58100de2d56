// SPDX-License-Identifier: Apache-2.0
#include "converter/passes/raise_control_flow.h"

#include "converter/graph/function_library.h"
#include "converter/import/function_body.h"
#include "tests/converter/passes/pass_test.h"

namespace linnet::converter {
namespace {

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

// The function as text, or why there is none.
std::string FunctionText(const Graph& graph, const std::string& name) {
  const auto function = graph.functions().Share(name);
  if (function == nullptr) return "no function " + name;
  ExpansionBudget budget;
  const FunctionContext context{&graph.registry(), &graph.functions(), graph.versions(), &budget,
                                nullptr};
  absl::StatusOr<FunctionBody> body = InstantiateFunction(function, {}, context);
  if (!body.ok()) return MessageOf(body.status());
  return Canonical(*body->graph);
}

using Functions = std::vector<std::pair<std::string, std::string>>;

// `before` becomes `after`, and these functions.
void ExpectRaised(std::string_view before, std::string_view after, const Functions& functions) {
  ExpectRewritten(RaiseControlFlow, before, after);
  const std::unique_ptr<Graph> graph = Parse(before);
  ASSERT_TRUE(RaiseControlFlow(*graph, {}).ok());
  EXPECT_EQ(graph->functions().num_functions(), static_cast<int>(functions.size()));
  for (const auto& [name, text] : functions)
    EXPECT_EQ(FunctionText(*graph, name), Canonical(*Parse(text))) << name;
}

TEST(RaiseControlFlow, LoopWithTwoVariables) {
  ExpectRaised(R"(
    x = arg f32[2]
    i0 = const i32[] 0
    i = tf.Enter(i0) {frame_name: "w/while_context"}
    y = tf.Enter(x) {frame_name: "w/while_context"}
    im = tf.Merge(i, in)
    ym = tf.Merge(y, yn)
    less = tf.Less(im, const i32[] 5 (^im))
    go = tf.LoopCond(less)
    is = tf.Switch(im, go)
    ys = tf.Switch(ym, go)
    ii = tf.Identity(is:1)
    add = tf.AddV2(ii, const i32[] 1 (^ii))
    mul = tf.Mul(ys:1, ys:1)
    in = tf.NextIteration(add)
    yn = tf.NextIteration(mul)
    ie = tf.Exit(is)
    ye = tf.Exit(ys)
    a = ret(ye)
    b = ret(ie))",
               R"(
    x = arg f32[2]
    w = tf.StatelessWhile(const i32[] 0, x) {cond: @"w_cond", body: @"w_body", T: [DT_INT32, DT_FLOAT]}
    a = ret(w:1)
    b = ret(w))",
               {{"w_cond", R"(
    i = arg ?
    y = arg ?
    less = tf.Less(i, const i32[] 5)
    p = ret(less))"},
                {"w_body", R"(
    i = arg ?
    y = arg ?
    ii = tf.Identity(i)
    add = tf.AddV2(ii, const i32[] 1 (^ii))
    mul = tf.Mul(y, y)
    a = ret(add)
    b = ret(mul))"}});
}

// w is only read; 0.5 has lost its control edge, the large constant has not.
TEST(RaiseControlFlow, LoopWithInvariants) {
  ExpectRaised(R"(
    x = arg f32[512]
    w = arg f32[512]
    y = tf.Enter(x) {frame_name: "w"}
    we = tf.Enter(w) {frame_name: "w", is_constant: true}
    ym = tf.Merge(y, yn)
    all = tf.Max(ym, const i32[] 0 (^ym)) {keep_dims: false}
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
    w = arg f32[512]
    big = const f32[512] fill=1
    l = tf.StatelessWhile(x, w, big) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT, DT_FLOAT, DT_FLOAT]}
    out = ret(l))",
               {{"w_cond", R"(
    y = arg ?
    w = arg ?
    big = arg ?
    all = tf.Max(y, const i32[] 0) {keep_dims: false}
    less = tf.Less(all, const f32[] 0.5)
    p = ret(less))"},
                {"w_body", R"(
    y = arg ?
    w = arg ?
    big = arg ?
    yi = tf.Identity(y)
    sum = tf.AddV2(yi, w)
    more = tf.AddV2(sum, big)
    a = ret(more)
    b = ret(w)
    c = ret(big))"}});
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
  ExpectRaised(kNestedLoops, R"(
    y = arg f32[]
    n = arg i32[]
    o = tf.StatelessWhile(const i32[] 0, y, n) {cond: @"o_cond", body: @"o_body", T: [DT_INT32, DT_FLOAT, DT_INT32]}
    out = ret(o:1))",
               {{"o_cond", "i = arg ? y = arg ? n = arg ? l = tf.Less(i, n) p = ret(l)"},
                {"o_body", R"(
    i = arg ?
    y = arg ?
    n = arg ?
    a = tf.AddV2(i, const i32[] 1)
    w = tf.StatelessWhile(i, y, n) {cond: @"o_i_cond", body: @"o_i_body", T: [DT_INT32, DT_FLOAT, DT_INT32]}
    r = ret(a)
    s = ret(w:1)
    t = ret(n))"},
                {"o_i_cond", "j = arg ? z = arg ? n = arg ? l = tf.Less(j, n) p = ret(l)"},
                {"o_i_body", R"(
    j = arg ?
    z = arg ?
    n = arg ?
    a = tf.AddV2(j, const i32[] 1)
    m = tf.Mul(z, z)
    r = ret(a)
    s = ret(m)
    t = ret(n))"}});
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
    b = tf.AddV2(xs, const f32[] 3 (^f))
    m = tf.Merge(b, a)
)";

constexpr char kThen[] = "x = arg ? y = arg ? a = tf.Mul(x, y) r = ret(a)";
constexpr char kElse[] = "x = arg ? y = arg ? a = tf.AddV2(x, const f32[] 3) r = ret(a)";

TEST(RaiseControlFlow, Conditional) {
  ExpectRaised(std::string(kBranches) + "out = ret(m)", R"(
    x = arg f32[]
    y = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x, y) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT]}
    out = ret(i))",
               {{"m_then", kThen}, {"m_else", kElse}});
}

// value_index says which input of the Merge it was.
TEST(RaiseControlFlow, ValueIndex) {
  ExpectRaised(std::string(kBranches) + "out = ret(m:1)", R"(
    x = arg f32[]
    y = arg f32[]
    p = arg bool[]
    i = tf.StatelessIf(p, x, y) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT, DT_INT32]}
    out = ret(i:1))",
               {{"m_then", std::string(kThen) + " k = const i32[] 1 s = ret(k)"},
                {"m_else", std::string(kElse) + " k = const i32[] 0 s = ret(k)"}});
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
    i = tf.StatelessIf(p, q, x) {then_branch: @"outer_then", else_branch: @"outer_else", Tin: [DT_BOOL, DT_FLOAT], Tout: [DT_FLOAT]}
    out = ret(i))",
               {{"outer_then", R"(
    q = arg ?
    x = arg ?
    i = tf.StatelessIf(q, x) {then_branch: @"inner_then", else_branch: @"inner_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT]}
    out = ret(i))"},
                {"outer_else", "q = arg ? x = arg ? r = ret(const f32[] 5)"},
                {"inner_then", "x = arg ? r = ret(const f32[] 2)"},
                {"inner_else", "x = arg ? n = tf.Neg(x) r = ret(n)"}});
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
    i = tf.StatelessIf(p, x) {then_branch: @"m_then", else_branch: @"m_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT]}
    e = tf.Exp(i)
    k = tf.StatelessIf(p, e, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT]}
    out = ret(k))",
               {{"m_then", "x = arg ? r = ret(x)"},
                {"m_else", "x = arg ? n = tf.Neg(x) r = ret(n)"},
                {"k_then", "e = arg ? x = arg ? b = tf.AddV2(e, x) r = ret(b)"},
                {"k_else", "e = arg ? x = arg ? r = ret(e)"}});
}

TEST(RaiseControlFlow, ConditionalInLoop) {
  ExpectRaised(R"(
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
    w = tf.StatelessWhile(x) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT]}
    out = ret(w))",
               {{"w_cond", "x = arg ? c = tf.Less(x, const f32[] 9) r = ret(c)"},
                {"w_body", R"(
    x = arg ?
    q = tf.Less(x, const f32[] 3)
    i = tf.StatelessIf(q, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT]}
    r = ret(i))"},
                {"k_then", "x = arg ? b = tf.Exp(x) r = ret(b)"},
                {"k_else", "x = arg ? a = tf.Mul(x, x) r = ret(a)"}});
}

TEST(RaiseControlFlow, LoopInConditional) {
  ExpectRaised(R"(
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
    i = tf.StatelessIf(p, x) {then_branch: @"k_then", else_branch: @"k_else", Tin: [DT_FLOAT], Tout: [DT_FLOAT]}
    out = ret(i))",
               {{"k_then", R"(
    x = arg ?
    w = tf.StatelessWhile(x) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT]}
    r = ret(w))"},
                {"k_else", "x = arg ? r = ret(x)"},
                {"w_cond", "x = arg ? c = tf.Less(x, const f32[] 9) r = ret(c)"},
                {"w_body", "x = arg ? a = tf.Mul(x, x) r = ret(a)"}});
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
    w = tf.While(ta:1, r, ta) {cond: @"w_cond", body: @"w_body", T: [DT_FLOAT, DT_FLOAT, DT_RESOURCE]}
    out = ret(w))",
      {{"w_cond", "f = arg ? r = arg ? h = arg ? c = tf.Less(f, const f32[] 9) o = ret(c)"},
       {"w_body", R"(
    f = arg ?
    r = arg ?
    h = arg ?
    a = tf.TensorArrayWriteV3(h, const i32[] 1, r, f)
    o = ret(a)
    q = ret(r)
    s = ret(h))"}});
}

TEST(RaiseControlFlow, LeavesTheRestAlone) {
  ExpectUnchanged(RaiseControlFlow, "x = arg f32[] y = tf.Neg(x) out = ret(y)");
}

}  // namespace
}  // namespace linnet::converter
