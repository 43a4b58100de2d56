// SPDX-License-Identifier: Apache-2.0
// Conditionals of TensorFlow 1 become If.
#include "tests/converter/tf_passes/control_flow/raise_control_flow_test.h"

namespace linnet::converter {
namespace {

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

// value_index is the number of the Merge's input that was taken.
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

// As in tfjs models: only the Merge's other input shows to which branch the constants belong.
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

// The same predicate twice, with a Switch that both conditionals share, as TensorFlow's optimiser
// writes it. The second conditional needs the first.
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

// The same without any node between the two.
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

}  // namespace
}  // namespace linnet::converter
