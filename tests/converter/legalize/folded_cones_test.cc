// SPDX-License-Identifier: Apache-2.0
// Values that are computed from constants and shapes while legalize walks the graph.
#include "converter/pass/passes.h"
#include "fmt/format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

struct FoldedCase {
  const char *before, *after;
};

const FoldedCase kFoldedCases[] = {
    // tensorflow/core/common_runtime/constant_folding_test.cc: ConstantFoldingTest.Basic
    {R"(b = const f32[2,2] {1, 2, 3, 4}
        m1 = tf.MatMul(const f32[2,2] {1, 0, 0, 1}, b)
        m2 = tf.MatMul(b, const f32[2,2] {0, 1, 1, 0})
        s1 = ret(m1)
        s2 = ret(m2))",
     "m1 = const f32[2,2] {1, 2, 3, 4} m2 = const f32[2,2] {2, 1, 4, 3} s1 = ret(m1) s2 = ret(m2)"},
    // tensorflow/core/common_runtime/constant_folding_test.cc: ConstantFoldingTest.TwoOutputs
    {R"(s = tf.Split(const i32[] 0, const i32[4] {1, 2, 3, 4}) {num_split: 2}
        b0 = ret(s)
        b1 = ret(s:1))",
     "k = const i32[2] {1, 2} l = const i32[2] {3, 4} b0 = ret(k) b1 = ret(l)"},
    // tensorflow/core/common_runtime/constant_folding_test.cc:
    // ConstantFoldingTest.TwoOutputsFoldOneOutput
    {R"(x = arg i32[2]
        s = tf.Split(const i32[] 0, const i32[4] {1, 2, 3, 4}) {num_split: 2}
        y = tf.Mul(x, s:1)
        b0 = ret(s)
        b1 = ret(y))",
     R"(x = arg i32[2]
        k = const i32[2] {1, 2}
        y = Binary(x, const i32[2] {3, 4}) {kind: Mul}
        b0 = ret(k)
        b1 = ret(y))"},
    // tensorflow/core/common_runtime/constant_folding_test.cc: ConstantFoldingTest.SimpleShapeKnown
    {R"(r0 = arg f32[1,2]
        r1 = arg f32[2,3,4]
        shape = tf.Shape(r0)
        n = tf.ShapeN(r0, r1) {N: 2}
        rank = tf.Rank(r0)
        size = tf.Size(r1)
        add0 = tf.Add(rank, size)
        add1 = tf.Add(shape, n)
        add2 = tf.Add(n:1, n:1)
        s0 = ret(add0)
        s1 = ret(add1)
        s2 = ret(add2))",
     R"(r0 = arg f32[1,2]
        r1 = arg f32[2,3,4]
        c0 = const i32[] 26
        c1 = const i32[2] {2, 4}
        c2 = const i32[3] {4, 6, 8}
        s0 = ret(c0)
        s1 = ret(c1)
        s2 = ret(c2))"},
    // tensorflow/core/common_runtime/constant_folding_test.cc: ConstantFoldingTest.ConstShapeKnown
    {"r = tf.Rank(const i32[] 1) a = tf.Add(r, r) s = ret(a)", "a = const i32[] 0 s = ret(a)"},
};

TEST(FoldedCones, AreConstants) {
  for (const FoldedCase& c : kFoldedCases) {
    SCOPED_TRACE(c.before);
    ExpectRewritten(Legalize, c.before, c.after);
  }
}

// Results of up to ten megabytes are stored in the plan, larger ones are not.
// tensorflow/core/common_runtime/constant_folding_test.cc:
// ConstantFoldingTest.TestNoReplaceLargeConstant
TEST(FoldedCones, MayBeTooLarge) {
  constexpr int64_t kTenMegabytes = int64_t{10} << 18;  // of int32
  const auto twice = [](int64_t count) {
    return fmt::format("a = const i32[{}] fill=7 b = Tile(a) {{multiples: [2]}} out = ret(b)",
                       count / 2);
  };
  ExpectUnchanged(FoldConstants, twice(kTenMegabytes + 2));
  ExpectRewritten(FoldConstants, twice(kTenMegabytes),
                  fmt::format("a = const i32[{}] fill=7 out = ret(a)", kTenMegabytes));
}

// tensorflow/core/common_runtime/constant_folding_test.cc:
// ConstantFoldingTest.TestNoReplaceAnotherConstant
TEST(FoldedCones, LeaveConstantsAlone) {
  ExpectUnchanged(FoldConstants, "d = const f32[2,2] {1, 0, 0, 1} s = ret(d)");
}

}  // namespace
}  // namespace linnet::converter
