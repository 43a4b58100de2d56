// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// TensorFlow graph row 71: common subexpressions
TEST(EliminateCommonSubexpressions, MergesEqualOpsAndConstants) {
  ExpectRewritten(EliminateCommonSubexpressions, R"(
    x = arg f32[2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    b = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    y = Binary(a, b) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    y = Binary(a, a) {kind: Mul}
    out = ret(y))");
}

// (a + c) * 12 + (c + a) * 2: the sum is computed once.
TEST(EliminateCommonSubexpressions, AddIsCommutative) {
  ExpectRewritten(EliminateCommonSubexpressions, R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    t = Binary(c, a) {kind: Add}
    u = Binary(s, const f32[] 12) {kind: Mul}
    v = Binary(t, const f32[] 2) {kind: Mul}
    y = Binary(u, v) {kind: Add}
    out = ret(y))",
                  R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    u = Binary(s, const f32[] 12) {kind: Mul}
    v = Binary(s, const f32[] 2) {kind: Mul}
    y = Binary(u, v) {kind: Add}
    out = ret(y))");
}

constexpr std::string_view kMaximum = R"(
    a = arg f32[2]
    b = arg f32[2]
    s = Binary(a, b) {kind: Maximum}
    t = Binary(b, a) {kind: Maximum}
    y = Binary(s, t) {kind: Add}
    out = ret(y))";

TEST(EliminateCommonSubexpressions, MaximumIsCommutativeUnlessStrict) {
  ExpectRewritten(EliminateCommonSubexpressions, kMaximum, R"(
    a = arg f32[2]
    b = arg f32[2]
    s = Binary(a, b) {kind: Maximum}
    y = Binary(s, s) {kind: Add}
    out = ret(y))");
  ExpectUnchanged(EliminateCommonSubexpressions, kMaximum, Strict());
}

TEST(EliminateCommonSubexpressions, KeepsWhatDiffers) {
  ExpectUnchanged(EliminateCommonSubexpressions, R"(
    a = arg f32[2]
    b = arg f32[2]
    s = Binary(a, b) {kind: Sub}
    t = Binary(b, a) {kind: Sub}
    u = Clamp(s) {range: {min: 0, max: inf}}
    v = Clamp(s) {range: {min: 0, max: 6}}
    y = Concat(t, u, v, const f32[2] {0, 1}, const f32[2] {-0.0, 1}) {axis: 0}
    out = ret(y))");
}

// Bodies of graphs; two inputs are added before them and one result behind.
std::string Between(const std::string& nodes) {
  return "a = arg f32[2] b = arg f32[2] c = arg f32[2] " + nodes;
}

TEST(EliminateCommonSubexpressions, AsTensorFlowDoes) {
  const struct {
    const char *before, *after;  // unchanged: nothing may be merged
  } kCases[] = {
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple
      {"x = Binary(a, b) {kind: Mul} y = Binary(a, b) {kind: Mul} r = ret(x) s = ret(y)",
       "x = Binary(a, b) {kind: Mul} r = ret(x) s = ret(x)"},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple_ThreeEquivalent
      {"x = Binary(a, b) {kind: Mul} y = Binary(a, b) {kind: Mul} z = Binary(a, b) {kind: Mul} "
       "r = ret(x) s = ret(y) t = ret(z)",
       "x = Binary(a, b) {kind: Mul} r = ret(x) s = ret(x) t = ret(x)"},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple_WithFixups
      {"x = Binary(a, b) {kind: Mul} y = Binary(a, b) {kind: Mul} z = Binary(x, y) {kind: Mul} "
       "r = ret(z)",
       "x = Binary(a, b) {kind: Mul} z = Binary(x, x) {kind: Mul} r = ret(z)"},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple_Commutative
      {"x = Binary(a, b) {kind: Mul} y = Binary(b, a) {kind: Mul} r = ret(x) s = ret(y)",
       "x = Binary(a, b) {kind: Mul} r = ret(x) s = ret(x)"},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple_NotCommutative
      {"x = Binary(a, b) {kind: Sub} y = Binary(b, a) {kind: Sub} r = ret(x) s = ret(y)", nullptr},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.NotEquivalent_Ops
      {"x = Binary(a, b) {kind: Mul} y = Compare(a, b) {kind: Less} r = ret(x) s = ret(y)",
       nullptr},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.NotEquivalent_Inputs
      {"x = Binary(a, b) {kind: Mul} y = Binary(a, c) {kind: Mul} r = ret(x) s = ret(y)", nullptr},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple_SameOps_SameAttrs1
      {"x = Reshape(a) {shape: [1, 2]} y = Reshape(a) {shape: [1, 2]} r = ret(x) s = ret(y)",
       "x = Reshape(a) {shape: [1, 2]} r = ret(x) s = ret(x)"},
      // Attributes may be written in any order.
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Simple_SameOps_SameAttrs2
      {"x = Unary(a) {kind: LeakyRelu, alpha: 0.5} y = Unary(a) {alpha: 0.5, kind: LeakyRelu} "
       "r = ret(x) s = ret(y)",
       "x = Unary(a) {kind: LeakyRelu, alpha: 0.5} r = ret(x) s = ret(x)"},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.SameOps_DifferentAttrs1
      {"x = Unary(a) {kind: LeakyRelu, alpha: 0.5} y = Unary(a) {kind: LeakyRelu, alpha: 0.25} "
       "r = ret(x) s = ret(y)",
       nullptr},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.SameOps_DifferentAttrs2
      {"x = Reshape(a) {shape: [1, 2]} y = Reshape(a) {shape: [2, 1]} r = ret(x) s = ret(y)",
       nullptr},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.SameConstants
      {"k = const i32[1] 0 l = const i32[1] 0 x = Binary(k, l) {kind: Mul} r = ret(x)",
       "k = const i32[1] 0 x = Binary(k, k) {kind: Mul} r = ret(x)"},
      // tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.DifferentConstants
      {"k = const i32[1] 0 l = const i32[1] 100000 x = Binary(k, l) {kind: Mul} r = ret(x)",
       nullptr},
  };
  for (const auto& [before, after] : kCases) {
    SCOPED_TRACE(before);
    if (after == nullptr)
      ExpectUnchanged(EliminateCommonSubexpressions, Between(before));
    else
      ExpectRewritten(EliminateCommonSubexpressions, Between(before), Between(after));
  }
}

// Constants of different type, shape or value are not merged.
// tensorflow/core/graph/optimizer_cse_test.cc: OptimizerCSETest.Constant_Dedup
TEST(EliminateCommonSubexpressions, EachConstantOnce) {
  const std::string ends = " o0 = ret(a) o1 = ret(b) o2 = ret(c) o3 = ret(d)";
  const std::string constants =
      "a = const f32[1] 1 b = const f64[1] 1 c = const f32[1,1] 1 d = const f32[1] 2";
  ExpectRewritten(EliminateCommonSubexpressions,
                  constants +
                      " d2 = const f32[1] 2 c2 = const f32[1,1] 1 b2 = const f64[1] 1"
                      " a2 = const f32[1] 1" +
                      ends + " o4 = ret(a2) o5 = ret(b2) o6 = ret(c2) o7 = ret(d2)",
                  constants + ends + " o4 = ret(a) o5 = ret(b) o6 = ret(c) o7 = ret(d)");
}

}  // namespace
}  // namespace linnet::converter
