// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "fmt/format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// The sums are the same sums, in the same order.
Expectation SameBits() { return {.context = {}, .tolerance = 0}; }

// Keras' MultiHeadAttention: two Einsums, which multiply matrices without leading dimensions.
TEST(FuseAttention, EinsumsOfKeras) {
  ExpectRewritten(FuseAttention, R"(
    q = arg f32[2,5,3,4]
    k = arg f32[2,6,3,4]
    v = arg f32[2,6,3,7]
    qt = Transpose(q) {perm: [0, 2, 1, 3]}
    qm = Reshape(qt) {shape: [6, 5, 4]}
    kt = Transpose(k) {perm: [0, 2, 3, 1]}
    km = Reshape(kt) {shape: [6, 4, 6]}
    s = BatchMatMul(qm, km)
    s4 = Reshape(s) {shape: [2, 3, 5, 6]}
    p = Softmax(s4)
    p3 = Reshape(p) {shape: [6, 5, 6]}
    vt = Transpose(v) {perm: [0, 2, 1, 3]}
    vm = Reshape(vt) {shape: [6, 6, 7]}
    o = BatchMatMul(p3, vm)
    o4 = Reshape(o) {shape: [2, 3, 5, 7]}
    y = Transpose(o4) {perm: [0, 2, 1, 3]}
    out = ret(y))",
                  R"(
    q = arg f32[2,5,3,4]
    k = arg f32[2,6,3,4]
    v = arg f32[2,6,3,7]
    y = Attention(q, k, v) {scale: 1}
    out = ret(y))",
                  SameBits());
}

// Attention with heads in dimension 1, whose scores are `scores`, made of qk.
std::string WithScores(std::string_view scores, std::string_view more = "") {
  return fmt::format(R"(
    q = arg f32[2,5,3,4]
    k = arg f32[2,6,3,4]
    v = arg f32[2,6,3,4]
    m = arg f32[2,1,1,6]
    qt = Transpose(q) {{perm: [0, 2, 1, 3]}}
    kt = Transpose(k) {{perm: [0, 2, 1, 3]}}
    vt = Transpose(v) {{perm: [0, 2, 1, 3]}}
    qk = BatchMatMul(qt, kt) {{transpose_b: true}}
    {}
    p = Softmax(s)
    o = BatchMatMul(p, vt)
    y = Transpose(o) {{perm: [0, 2, 1, 3]}}
    out = ret(y)
    used = ret(m){})",
                     scores, more);
}

std::string Fused(std::string_view call) {
  return fmt::format(R"(
    q = arg f32[2,5,3,4]
    k = arg f32[2,6,3,4]
    v = arg f32[2,6,3,4]
    m = arg f32[2,1,1,6]
    y = {}
    out = ret(y)
    used = ret(m))",
                     call);
}

TEST(FuseAttention, Scales) {
  ExpectRewritten(FuseAttention, WithScores("s = Binary(qk, const f32[] 0.3) {kind: Mul}"),
                  Fused("Attention(q, k, v) {scale: 0.3}"), SameBits());
  ExpectRewritten(FuseAttention, WithScores("s = Binary(const f32[1,1] 0.3, qk) {kind: Mul}"),
                  Fused("Attention(q, k, v) {scale: 0.3}"), SameBits());
  ExpectRewritten(FuseAttention, WithScores("s = Binary(qk, const f32[] 2) {kind: Div}"),
                  Fused("Attention(q, k, v) {scale: 0.5}"), SameBits());
  ExpectRewritten(FuseAttention, WithScores(R"(h = Binary(qk, const f32[] 3) {kind: Div}
    s = Binary(h, const f32[] 1.5) {kind: Mul})"),
                  Fused("Attention(q, k, v) {scale: 0.5}"));
}

TEST(FuseAttention, Masks) {
  ExpectRewritten(FuseAttention, WithScores("s = Binary(qk, m) {kind: Add}"),
                  Fused("Attention(q, k, v, m) {scale: 1}"), SameBits());
  ExpectRewritten(FuseAttention, WithScores(R"(h = Binary(qk, const f32[] 0.3) {kind: Mul}
    s = Binary(m, h) {kind: Add})"),
                  Fused("Attention(q, k, v, m) {scale: 0.3}"), SameBits());
  ExpectRewritten(FuseAttention, WithScores("s = Binary(qk, const f32[5,6] seed=1) {kind: Add}"),
                  Fused("Attention(q, k, v, const f32[5,6] seed=1) {scale: 1}"), SameBits());
}

// Keras' masks of bool.
TEST(FuseAttention, SelectedScores) {
  ExpectRewritten(FuseAttention, R"(
    q = arg f32[1,5,3,4]
    m = arg bool[1,1,5]
    qt = Transpose(q) {perm: [0, 2, 1, 3]}
    qk = BatchMatMul(qt, qt) {transpose_b: true}
    h = Binary(qk, const f32[] 0.3) {kind: Mul}
    s = Select(m, h, const f32[] -1000)
    p = Softmax(s)
    o = BatchMatMul(p, qt)
    y = Transpose(o) {perm: [0, 2, 1, 3]}
    out = ret(y))",
                  R"(
    q = arg f32[1,5,3,4]
    m = arg bool[1,1,5]
    y = Attention(q, q, q, m) {scale: 0.3, hidden: -1000}
    out = ret(y))",
                  SameBits());
}

// Positions and padding, as in T5.
TEST(FuseAttention, TwoMasks) {
  ExpectRewritten(FuseAttention, WithScores(R"(h = Binary(qk, const f32[3,5,6] seed=1) {kind: Add}
    s = Binary(h, m) {kind: Add})"),
                  Fused("Attention(q, k, v, const f32[3,5,6] seed=1, m) {scale: 1}"), SameBits());
  ExpectRewritten(
      FuseAttention, WithScores(R"(h = Select(const bool[5,6] seed=1, qk, const f32[] -9)
    s = Binary(h, m) {kind: Add})"),
      Fused("Attention(q, k, v, const bool[5,6] seed=1, m) {scale: 1, hidden: -9}"), SameBits());
  ExpectRewritten(FuseAttention,
                  WithScores(R"(h = Select(const bool[5,6] seed=1, qk, const f32[] -9)
    s = Select(const bool[2,1,1,6] seed=2, h, const f32[] -9))"),
                  Fused("Attention(q, k, v, const bool[5,6] seed=1, const bool[2,1,1,6] seed=2) "
                        "{scale: 1, hidden: -9}"),
                  SameBits());
  ExpectUnchanged(FuseAttention,
                  WithScores(R"(h = Select(const bool[5,6] seed=1, qk, const f32[] -9)
    s = Select(const bool[2,1,1,6] seed=2, h, const f32[] -8))"));
  ExpectUnchanged(FuseAttention, WithScores(R"(g = Binary(qk, const f32[3,5,6] seed=1) {kind: Add}
    h = Binary(g, const f32[2,1,1,6] seed=2) {kind: Add}
    s = Binary(h, m) {kind: Add})"));
}

// Each head of k and v is for two of q. `k` and `v` make kt and vt, [2, 4, 6, 5].
std::string WithGroups(std::string_view k, std::string_view v) {
  return fmt::format(R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,2,5]
    v = arg f32[2,6,2,5]
    qt = Transpose(q) {{perm: [0, 2, 1, 3]}}
    {}
    {}
    qk = BatchMatMul(qt, kt) {{transpose_b: true}}
    p = Softmax(qk)
    o = BatchMatMul(p, vt)
    y = Transpose(o) {{perm: [0, 2, 1, 3]}}
    out = ret(y))",
                     k, v);
}

// tf.repeat of the heads of `x`, before or behind the transposition.
std::string RepeatedThenTransposed(std::string_view x, std::string_view op) {
  return fmt::format(R"({0}1 = Reshape({0}) {{shape: [2, 6, 2, 1, 5]}}
    {0}2 = {1}
    {0}4 = Reshape({0}2) {{shape: [2, 6, 4, 5]}}
    {0}t = Transpose({0}4) {{perm: [0, 2, 1, 3]}})",
                     x, fmt::format(fmt::runtime(op), x));
}
std::string TransposedThenRepeated(std::string_view x) {
  return fmt::format(R"({0}0 = Transpose({0}) {{perm: [0, 2, 1, 3]}}
    {0}1 = Reshape({0}0) {{shape: [2, 2, 1, 6, 5]}}
    {0}2 = Tile({0}1) {{multiples: [1, 1, 2, 1, 1]}}
    {0}t = Reshape({0}2) {{shape: [2, 4, 6, 5]}})",
                     x);
}

TEST(FuseAttention, GroupedQueries) {
  const std::string_view fused = R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,2,5]
    v = arg f32[2,6,2,5]
    y = Attention(q, k, v) {scale: 1}
    out = ret(y))";
  const std::string_view tile = "Tile({}1) {{multiples: [1, 1, 1, 2, 1]}}",
                         broadcast = "BroadcastTo({}1) {{shape: [2, 6, 2, 2, 5]}}",
                         concat = "Concat({0}1, {0}1) {{axis: 3}}";
  for (const std::string_view op : {tile, broadcast, concat})
    ExpectRewritten(FuseAttention,
                    WithGroups(RepeatedThenTransposed("k", op), RepeatedThenTransposed("v", op)),
                    fused, SameBits());
  ExpectRewritten(FuseAttention,
                  WithGroups(TransposedThenRepeated("k"), RepeatedThenTransposed("v", tile)), fused,
                  SameBits());
}

// Head h reads head h % 2: no group of heads that follow each other. Nor do three heads divide
// four.
TEST(FuseAttention, OtherRepeatsStay) {
  const std::string_view fused = R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,2,5]
    v = arg f32[2,6,2,5]
    kt = Concat(k, k) {axis: 2}
    vt = Concat(v, v) {axis: 2}
    y = Attention(q, kt, vt) {scale: 1}
    out = ret(y))";
  ExpectRewritten(FuseAttention,
                  WithGroups(R"(k2 = Concat(k, k) {axis: 2}
    kt = Transpose(k2) {perm: [0, 2, 1, 3]})",
                             R"(v2 = Concat(v, v) {axis: 2}
    vt = Transpose(v2) {perm: [0, 2, 1, 3]})"),
                  fused, SameBits());
}

// The products repeat k and v: here one head for all of q, and below each head for two.
TEST(FuseAttention, HeadsThatTheProductRepeats) {
  ExpectRewritten(FuseAttention, R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,1,5]
    qt = Transpose(q) {perm: [0, 2, 1, 3]}
    kt = Transpose(k) {perm: [0, 2, 1, 3]}
    qk = BatchMatMul(qt, kt) {transpose_b: true}
    p = Softmax(qk)
    o = BatchMatMul(p, kt)
    y = Transpose(o) {perm: [0, 2, 1, 3]}
    out = ret(y))",
                  R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,1,5]
    y = Attention(q, k, k) {scale: 1}
    out = ret(y))",
                  SameBits());
  const std::string_view graph = R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,2,5]
    qt = Transpose(q) {{perm: [0, 2, 1, 3]}}
    q5 = Reshape(qt) {{shape: [2, 2, 2, 5, 5]}}
    kt = Transpose(k) {{perm: [0, 2, 1, 3]}}
    k5 = Reshape(kt) {{shape: {}}}
    qk = BatchMatMul(q5, k5) {{transpose_b: true}}
    p = Softmax(qk)
    o5 = BatchMatMul(p, k5)
    o = Reshape(o5) {{shape: [2, 4, 5, 5]}}
    y = Transpose(o) {{perm: [0, 2, 1, 3]}}
    out = ret(y))";
  ExpectRewritten(FuseAttention, fmt::format(fmt::runtime(graph), "[2, 2, 1, 6, 5]"), R"(
    q = arg f32[2,5,4,5]
    k = arg f32[2,6,2,5]
    y = Attention(q, k, k) {scale: 1}
    out = ret(y))",
                  SameBits());
  // Heads 0 and 2 of q read the first of k.
  ExpectUnchanged(FuseAttention, fmt::format(fmt::runtime(graph), "[2, 1, 2, 6, 5]"));
}

// The mask is added to matrices, which are no heads yet.
TEST(FuseAttention, MaskOfMatrices) {
  const std::string_view scores = R"(qk3 = Reshape(qk) {{shape: [6, 5, 6]}}
    s3 = Binary(qk3, const f32[{}] seed=1) {{kind: Add}}
    s = Reshape(s3) {{shape: [2, 3, 5, 6]}})";
  ExpectRewritten(FuseAttention, WithScores(fmt::format(fmt::runtime(scores), "6,5,6")),
                  Fused("Attention(q, k, v, const f32[2,3,5,6] seed=1) {scale: 1}"), SameBits());
  ExpectRewritten(FuseAttention, WithScores(fmt::format(fmt::runtime(scores), "1,5,6")),
                  Fused("Attention(q, k, v, const f32[1,1,5,6] seed=1) {scale: 1}"), SameBits());
}

// v comes transposed too, as other Einsums want it.
TEST(FuseAttention, TransposedValues) {
  ExpectRewritten(FuseAttention, R"(
    q = arg f32[1,5,2,4]
    k = arg f32[1,6,2,4]
    v = arg f32[1,6,2,4]
    qt = Transpose(q) {perm: [0, 2, 3, 1]}
    kt = Transpose(k) {perm: [0, 2, 1, 3]}
    vt = Transpose(v) {perm: [0, 2, 3, 1]}
    s = BatchMatMul(qt, kt) {transpose_a: true, transpose_b: true}
    p = Softmax(s)
    o = BatchMatMul(p, vt) {transpose_b: true}
    y = Transpose(o) {perm: [0, 2, 1, 3]}
    out = ret(y))",
                  R"(
    q = arg f32[1,5,2,4]
    k = arg f32[1,6,2,4]
    v = arg f32[1,6,2,4]
    y = Attention(q, k, v) {scale: 1}
    out = ret(y))",
                  SameBits());
}

TEST(FuseAttention, WithoutTransposes) {
  ExpectRewritten(FuseAttention, R"(
    q = arg f32[2,5,4]
    k = arg f32[2,6,4]
    v = arg f32[2,6,3]
    s = BatchMatMul(q, k) {transpose_b: true}
    p = Softmax(s)
    o = BatchMatMul(p, v)
    out = ret(o))",
                  R"(
    q = arg f32[2,5,4]
    k = arg f32[2,6,4]
    v = arg f32[2,6,3]
    q4 = Reshape(q) {shape: [2, 5, 1, 4]}
    k4 = Reshape(k) {shape: [2, 6, 1, 4]}
    v4 = Reshape(v) {shape: [2, 6, 1, 3]}
    a = Attention(q4, k4, v4) {scale: 1}
    o = Reshape(a) {shape: [2, 5, 3]}
    out = ret(o))",
                  SameBits());
}

// Heads come first in the model, and something else reads them.
TEST(FuseAttention, HeadsFirst) {
  ExpectRewritten(FuseAttention, R"(
    q = arg f32[1,3,5,4]
    k = arg f32[1,3,6,4]
    m = arg f32[1,3,5,6]
    s = BatchMatMul(q, k) {transpose_b: true}
    h = Binary(s, m) {kind: Add}
    p = Softmax(h)
    o = BatchMatMul(p, k)
    out = ret(o))",
                  R"(
    q = arg f32[1,3,5,4]
    k = arg f32[1,3,6,4]
    m = arg f32[1,3,5,6]
    q4 = Reshape(q) {shape: [3, 5, 1, 4]}
    k4 = Reshape(k) {shape: [3, 6, 1, 4]}
    v4 = Reshape(k) {shape: [3, 6, 1, 4]}
    m4 = Reshape(m) {shape: [3, 1, 5, 6]}
    a = Attention(q4, k4, v4, m4) {scale: 1}
    o = Reshape(a) {shape: [1, 3, 5, 4]}
    out = ret(o))",
                  SameBits());
}

TEST(FuseAttention, NotUnderStrictAlgebra) {
  ExpectUnchanged(FuseAttention, WithScores("s = Reshape(qk) {shape: [2, 3, 5, 6]}"), Strict());
}

TEST(FuseAttention, KeepsWhatOthersRead) {
  const std::string_view scale = "s = Binary(qk, const f32[] 0.3) {kind: Mul}";
  for (const std::string_view read : {"qk", "s", "p"})
    ExpectUnchanged(FuseAttention, WithScores(scale, fmt::format("\n    other = ret({})", read)));
}

TEST(FuseAttention, KeepsOtherScores) {
  for (const std::string_view scores : {
           "s = Binary(qk, const f32[6] seed=1) {kind: Mul}",         // no scale
           "s = Binary(const f32[] 2, qk) {kind: Div}",               // not linear
           "s = Unary(qk) {kind: Tanh}",                              //
           "s = Binary(qk, m) {kind: Mul}",                           // no constant
           "s = Binary(qk, m) {kind: Add, range: {min: 0, max: 1}}",  //
           "s = Select(const bool[6] {1, 0, 1, 1, 0, 1}, qk, m)",     // no constant
           "s = Select(const bool[6] {1, 0, 1, 1, 0, 1}, const f32[] 1, qk)",
           "s = Select(const bool[6] {1, 0, 1, 1, 0, 1}, qk, const f32[] nan)",
       })
    ExpectUnchanged(FuseAttention, WithScores(scores));
  // The mask is not scaled.
  ExpectUnchanged(FuseAttention, WithScores(R"(h = Binary(qk, m) {kind: Add}
    s = Binary(h, const f32[] 0.3) {kind: Mul})"));
  ExpectUnchanged(FuseAttention, WithScores("s = Binary(qk, const f32[] inf) {kind: Mul}"));
}

TEST(FuseAttention, KeepsSoftmaxOverAnotherAxis) {
  ExpectUnchanged(FuseAttention, R"(
    q = arg f32[2,5,4]
    k = arg f32[2,5,4]
    s = BatchMatMul(q, k) {transpose_b: true}
    t = Transpose(s) {perm: [0, 2, 1]}
    p = Softmax(t)
    u = Transpose(p) {perm: [0, 2, 1]}
    o = BatchMatMul(u, k)
    out = ret(o))");
  // Rows and columns change places in a Reshape.
  ExpectUnchanged(FuseAttention, R"(
    q = arg f32[1,6,4]
    k = arg f32[1,3,4]
    v = arg f32[1,6,4]
    s = BatchMatMul(q, k) {transpose_b: true}
    t = Reshape(s) {shape: [1, 3, 6]}
    p = Softmax(t)
    o = BatchMatMul(p, v)
    out = ret(o))");
}

TEST(FuseAttention, KeepsLogSoftmax) {
  ExpectUnchanged(FuseAttention, R"(
    q = arg f32[2,5,4]
    s = BatchMatMul(q, q) {transpose_b: true}
    p = Softmax(s) {log: true}
    o = BatchMatMul(p, q)
    out = ret(o))");
}

TEST(FuseAttention, KeepsProductsOfConstants) {
  ExpectUnchanged(FuseAttention, R"(
    q = arg f32[2,5,4]
    s = BatchMatMul(q, const f32[2,6,4] seed=1) {transpose_b: true}
    p = Softmax(s)
    o = BatchMatMul(p, const f32[2,6,4] seed=2)
    out = ret(o))");
}

TEST(FuseAttention, KeepsBroadcastMatrices) {
  ExpectUnchanged(FuseAttention, R"(
    q = arg f32[2,5,4]
    k = arg f32[1,6,4]
    s = BatchMatMul(q, k) {transpose_b: true}
    p = Softmax(s)
    o = BatchMatMul(p, k)
    out = ret(o))");
}

TEST(FuseAttention, KeepsMasksOfOneColumn) {
  ExpectUnchanged(FuseAttention, WithScores("s = Binary(qk, const f32[5,1] seed=1) {kind: Add}"));
  ExpectUnchanged(FuseAttention, WithScores("s = Binary(qk, const f32[] 3) {kind: Add}"));
}

// The mask belongs to batches, which are heads by then.
TEST(FuseAttention, KeepsMasksThatDoNotBroadcast) {
  ExpectUnchanged(FuseAttention, R"(
    q = arg f32[2,3,5,4]
    m = arg f32[2,1,1,5]
    s = BatchMatMul(q, q) {transpose_b: true}
    h = Binary(s, m) {kind: Add}
    p = Softmax(h)
    o = BatchMatMul(p, q)
    out = ret(o))");
}

}  // namespace
}  // namespace linnet::converter
