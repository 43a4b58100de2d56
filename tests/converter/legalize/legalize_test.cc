// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include <utility>

#include "converter/graph/problems.h"
#include "converter/graph/text/text.h"
#include "fmt/format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

Node* LegalizedNode(Graph& graph, const char* name) {
  const absl::StatusOr<int> result = Legalize(graph, {});
  EXPECT_TRUE(result.ok()) << result.status();
  return graph.FindNode(name);
}

TEST(Legalize, FoldsChainsOfShapesOnTheWay) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2,3,4]
    s = tf.Shape(x)
    n = tf.StridedSlice(s, const i32[1] {0}, const i32[1] {1}, const i32[1] {1}) {shrink_axis_mask: 1}
    d = tf.Mul(n, const i32[] 3)
    p = tf.Pack(d, const i32[] -1) {N: 2, axis: 0}
    y = tf.Reshape(x, p)
    out = ret(y))",
                  R"(
    x = arg f32[2,3,4]
    y = Reshape(x) {shape: [6, 4]}
    out = ret(y))");
}

TEST(Legalize, IsDoneAfterOneRun) {
  const auto graph = Parse(R"(
    x = arg f32[2]
    y = tf.Relu(x)
    out = ret(y))");
  EXPECT_TRUE(Legalize(*graph, {}).ok());
  EXPECT_EQ(Legalize(*graph, {}).value(), 0);
}

TEST(Legalize, DropsControlEdgesAndWhatOnlyTheyNeeded) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2]
    n = tf.NoOp(^x)
    q = tf.Svd(x)
    y = tf.Neg(x, ^n, ^q)
    out = ret(y))",
                  R"(
    x = arg f32[2]
    y = Unary(x) {kind: Neg}
    out = ret(y))");
}

TEST(Legalize, TheLastOpTakesTheNodesNameAndAllItsSource) {
  const auto graph = Parse(R"(
    x = arg f32[2,2]
    s = arg f32[2]
    o = arg f32[2]
    m = arg f32[2]
    v = arg f32[2]
    x4 = tf.Reshape(x, const i32[4] {1, 2, 1, 2})
    bn = tf.FusedBatchNormV3(x4, s, o, m, v) {is_training: false, U: DT_FLOAT}
    out = ret(bn))");
  const Node* last = LegalizedNode(*graph, "bn");
  ASSERT_NE(last, nullptr);
  EXPECT_TRUE(last->Is<BinaryAttrs>());
  for (const Node* node : graph->op_nodes()) {
    if (!node->name().starts_with("bn/") || node->IsConstant()) continue;
    EXPECT_EQ(node->sources(), std::vector<std::string>{"bn"}) << node->name();
  }
  EXPECT_EQ(last->sources(), std::vector<std::string>{"bn"});
}

TEST(Legalize, NamesAreGivenEvenIfTheLastStepHasNothingToDo) {
  const auto graph = Parse(R"(
    x = arg f32[2,3]
    w = arg f32[3,4]
    y = tf.Einsum(x, w) {N: 2, equation: "ij,jk->ik"}
    out = ret(y))");
  const Node* last = LegalizedNode(*graph, "y");
  ASSERT_NE(last, nullptr);
  EXPECT_TRUE(last->Is<BatchMatMulAttrs>());
}

TEST(Legalize, TellsAllProblemsAtOnceAndNoConsequences) {
  const std::string error = ErrorOf(Legalize, R"(
    x = arg f32[4,4]
    k = arg i32[]
    a = tf.Svd(x)
    b = tf.Neg(a)
    c = tf.PopulationCount(k)
    d = tf.OneHot(k, k, const f32[] 1, const f32[] 0)
    e = tf.ExpandDims(d, const i32[] 7)
    f = tf.Squeeze(x) {squeeze_dims: [1]}
    r0 = ret(b)
    r1 = ret(c)
    r2 = ret(e)
    r3 = ret(f))");
  EXPECT_NE(error.find("4 problems:"), std::string::npos) << error;
  EXPECT_NE(error.find("Svd 'a': matrix decompositions"), std::string::npos) << error;
  EXPECT_NE(error.find("PopulationCount 'c': this special function"), std::string::npos) << error;
  EXPECT_NE(error.find("OneHot 'd': 'depth' (input 1) is computed from fed data"),
            std::string::npos);
  EXPECT_NE(error.find("Squeeze 'f': cannot squeeze dimension 1 of [4,4]"), std::string::npos);
  EXPECT_EQ(error.find("Neg"), std::string::npos) << error;
  EXPECT_EQ(error.find("ExpandDims"), std::string::npos) << error;
}

TEST(Legalize, SaysWhereToCutBeforeAnOpThatCannotRun) {
  const std::string error = ErrorOf(Legalize, R"(
    x = arg f32[4]
    a = tf.Neg(x)
    b = tf.Dawsn(a)
    out = ret(b))");
  EXPECT_NE(error.find("--output a ends the model before it"), std::string::npos) << error;
}

TEST(Legalize, AsksForUnknownInputs) {
  const std::string error = ErrorOf(Legalize, R"(
    x = arg ?
    a = tf.Neg(x) {T: DT_FLOAT}
    out = ret(a))");
  EXPECT_NE(error.find("--input x="), std::string::npos) << error;
}

TEST(Legalize, HalfComputesInFloatAndIsHalfOutside) {
  ExpectRewritten(Legalize, R"(
    x = arg f16[2]
    y = tf.AddV2(x, const f16[2] {1, 2})
    out = ret(y))",
                  R"(
    x = arg f16[2]
    c = Cast(x) {dtype: 1}
    y = Binary(c, const f32[2] encoding=Float16 {1, 2}) {kind: Add}
    z = Cast(y) {dtype: 2}
    out = ret(z))");
}

TEST(Legalize, DoubleConstantsAreRounded) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2]
    y = tf.Cast(const f64[2] {1.5, 2}) {DstT: DT_FLOAT}
    z = tf.Mul(x, y)
    out = ret(z))",
                  R"(
    x = arg f32[2]
    z = Binary(x, const f32[2] {1.5, 2}) {kind: Mul}
    out = ret(z))");
}

// 16 MiB filled with one number: the plan stores only the number.
TEST(Legalize, LargeFillsStayComputed) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1]
    f = tf.Fill(const i32[2] {2048, 2048}, const f32[] 1)
    y = tf.AddV2(f, x)
    out = ret(y))",
                  R"(
    x = arg f32[1]
    f = BroadcastTo(const f32[] 1) {shape: [2048, 2048]}
    y = Binary(f, x) {kind: Add}
    out = ret(y))");
}

TEST(Legalize, MakesNoMoreConstantsThanThereIsRoomFor) {
  const char* text = R"(
    x = arg f32[1024,1024]
    a = tf.MatrixBandPart(x, const i64[] -1, const i64[] 0)
    b = tf.MatrixBandPart(a, const i64[] 0, const i64[] -1)
    out = ret(b))";
  for (const int64_t room : {int64_t{3} << 20, int64_t{3} << 19}) {
    const auto graph = Parse(text);
    int64_t left = room;
    PassContext context;
    context.constant_room = &left;
    const absl::StatusOr<int> result = Legalize(*graph, context);
    EXPECT_EQ(result.ok(), room > (2 << 20)) << result.status();
  }
}

TEST(Legalize, AConstantOfManyReadersIsCopiedAsOftenAsThereIsRoom) {
  std::string numbers = "0";
  for (int i = 1; i < 256; ++i) numbers += fmt::format(", {}", i);
  const auto graph = Parse(fmt::format("c = const f32[256] {{{}}}\n", numbers) + R"(
    a = tf.Neg(c)
    b = tf.Abs(c)
    d = tf.Exp(c)
    s = ret(a)
    t = ret(b)
    u = ret(d))");
  // Folding may add `room` bytes, and as many as the model's own constants take (a kilobyte):
  // enough for one of the results. The other two stay ops, which take space too.
  int64_t room = 600;
  PassContext context;
  context.constant_room = &room;
  ASSERT_TRUE(Legalize(*graph, context).ok());
  int folded = 0;
  for (const char* name : {"a", "b", "d"}) folded += graph->FindNode(name)->IsConstant();
  EXPECT_EQ(folded, 1);
  EXPECT_GE(room, 0);
}

TEST(Legalize, DivisionByAConstantZeroIsLeftToTheDevice) {
  ExpectRewritten(Legalize, R"(
    y = tf.FloorDiv(const i32[] 1, const i32[] 0)
    out = ret(y))",
                  R"(
    y = Binary(const i32[] 1, const i32[] 0) {kind: FloorDiv}
    out = ret(y))");
}

TEST(Legalize, IntegerReluHasNoClamp) {
  ExpectRewritten(Legalize, R"(
    x = arg i32[2]
    y = tf.Relu6(x)
    out = ret(y))",
                  R"(
    x = arg i32[2]
    m = Binary(x, const i32[] 0) {kind: Maximum}
    y = Binary(m, const i32[] 6) {kind: Minimum}
    out = ret(y))");
}

TEST(Legalize, StringsAreNamedAsTheReason) {
  const std::string error = ErrorOf(Legalize, R"(
    x = arg f32[4]
    a = tf.Cast(x) {DstT: DT_COMPLEX64}
    out = ret(a))");
  EXPECT_NE(error.find("complex64"), std::string::npos) << error;
}

TEST(Legalize, ComplexNumbersStayInside) {
  EXPECT_NE(ErrorOf(Legalize, R"(
    x = arg f32[2,8]
    a = tf.RFFT(x, const i32[1] {8}) {Tcomplex: DT_COMPLEX64}
    out = ret(a))")
                .find("but not be its outputs"),
            std::string::npos);
  EXPECT_NE(ErrorOf(Legalize, R"(
    x = arg f32[2,8]
    a = tf.RFFT(x, const i32[1] {8}) {Tcomplex: DT_COMPLEX64}
    b = tf.Tanh(a) {T: DT_COMPLEX64}
    c = tf.ComplexAbs(b) {T: DT_COMPLEX64}
    out = ret(c))")
                .find("not supported for complex numbers"),
            std::string::npos);
}

TEST(Legalize, MovesOfComplexNumbersAreMovesOfPairs) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2,3]
    c = tf.Complex(x, x)
    t = tf.Transpose(c, const i32[2] {1, 0}) {T: DT_COMPLEX64}
    s = tf.ExpandDims(t, const i32[] -1) {T: DT_COMPLEX64}
    f = tf.FFT(s) {Tcomplex: DT_COMPLEX64}
    y = tf.ComplexAbs(f) {T: DT_COMPLEX64}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    re = Reshape(x) {shape: [2, 3, 1]}
    im = Reshape(x) {shape: [2, 3, 1]}
    c = Concat(re, im) {axis: 2}
    t = Transpose(c) {perm: [1, 0, 2]}
    s = Reshape(t) {shape: [3, 2, 1, 2]}
    f = Fourier(s) {kind: Forward, length: 1}
    squares = Unary(f) {kind: Square}
    sum = Reduce(squares) {kind: Sum, axes: [3]}
    y = Unary(sum) {kind: Sqrt}
    out = ret(y))");
}

TEST(Legalize, NotesThatHalvesAreWidened) {
  std::vector<std::string> notes;
  PassContext context;
  context.notes = &notes;
  const auto graph = Parse(R"(
    x = arg f16[2]
    y = tf.Neg(x)
    out = ret(y))");
  ASSERT_TRUE(Legalize(*graph, context).ok());
  EXPECT_EQ(notes, std::vector<std::string>{"half and double tensors are computed in float"});
}

struct BadOp {
  const char* line;  // y = ...; x is f32[2,3], i is i32[2], p is f32[1,4,4,2]
  const char* reason;
};

const BadOp kBadOps[] = {
    {"tf.Reshape(x, i)", "'shape' (input 1) is computed from fed data"},
    {"tf.Reshape(x, const i32[2] {4, 2})", "cannot reshape [2,3] to [4,2]"},
    {"tf.Reshape(x, const i32[2] {-1, -1})", "want one -1 at most"},
    {"tf.Reshape(x, const i64[3] {4611686018427387904, 4, -1})", "want one -1 at most"},
    {"tf.Transpose(x, const i32[2] {0, 2})", "'perm' is 2, want [-2, 2)"},
    {"tf.Transpose(x, const i32[2] {1, -1})", "'perm' is [1,1], which names a dimension twice"},
    {"tf.Transpose(x, const i32[1] {0})", "want 2 values"},
    {"tf.Sum(x, const i32[2] {1, -1})", "repeat an axis"},
    {"tf.Slice(x, const i32[2] {0, 2}, const i32[2] {2, 2})", "not all inside [2,3]"},
    {"tf.Slice(x, const i64[2] {-9223372036854775808, 0}, const i64[2] {-1, 1})", "not all inside"},
    {"tf.SplitV(x, const i64[2] {9223372036854775807, 9223372036854775807}, const i32[] 1) "
     "{num_split: 2}",
     "do not add up"},
    {"tf.SplitV(x, const i32[2] {-1, 4}, const i32[] 1) {num_split: 2}", "do not add up"},
    {"tf.Split(const i32[] 1, x) {num_split: 2}", "into 2 equal parts"},
    {"tf.Unpack(x) {num: 3}", "does not have the 3 elements"},
    {"tf.GatherV2(x, i, const i32[] 2)", "'axis' is 2, want [-2, 2)"},
    {"tf.TopKV2(x, const i32[] 4)", "k is 4, but the rows of [2,3] are shorter"},
    {"tf.OneHot(i, const i32[] -2, const f32[] 1, const f32[] 0)", "'depth' is -2"},
    {"tf.Pad(x, const i32[2,2] {0, 0, -1, 0})", "are negative"},
    {"tf.Tile(x, const i32[2] {-1, 1})", "negative or too large"},
    {"tf.Fill(const i64[2] {4611686018427387904, 4}, const f32[] 0)", "negative or too large"},
    {"tf.ResizeBilinear(p, const i32[2] {0, 4})", "want a positive height and width"},
    {"tf.ResizeBilinear(p, const i32[2] {4, 4}) {align_corners: true, half_pixel_centers: true}",
     "exclude each other"},
    {"tf.MaxPool(p) {ksize: [2, 1, 1, 1], strides: [1, 1, 1, 1], padding: \"SAME\"}",
     "batch and channels must have 1"},
    {"tf.AvgPool(p) {ksize: [1, 2, 2, 1], strides: [1, 0, 1, 1], padding: \"SAME\"}",
     "want values >= 1"},
    {"tf.AvgPool(p) {ksize: [1, 9, 2, 1], strides: [1, 1, 1, 1], padding: \"VALID\"}",
     "AvgPool 'y': window is larger"},
    {"tf.Conv2D(p, const f32[1,1,3,1] fill=0) {strides: [1, 1, 1, 1], padding: \"SAME\"}",
     "2 input channels are no multiple of the filter's 3"},
    {"tf.Conv2D(p, const f32[1,1,2,1] fill=0) {strides: [1, 1, 1], padding: \"SAME\"}",
     "'strides' has 3 values, want 4"},
    {"tf.Conv2D(p, const f32[1,1,2,1] fill=0) {strides: [1, 1, 1, 1], padding: \"EXPLICIT\"}",
     "'explicit_paddings' has 0 values, want 8"},
    {"tf.DepthwiseConv2dNative(p, const f32[1,1,3,1] fill=0) {strides: [1, 1, 1, 1], padding: "
     "\"SAME\"}",
     "2 input channels, but the filter"},
    {"tf.SpaceToBatchND(p, const i32[1] {3}, const i32[1,2] {0, 0})", "no multiple of block 3"},
    {"tf.BatchToSpaceND(p, const i32[1] {2}, const i32[1,2] {0, 0})", "batch 1 is no multiple"},
    {"tf.SpaceToBatchND(p, const i64[2] {4611686018427387904, 4}, const i32[2,2] {0, 0, 0, 0})",
     "blocks ["},
    {"tf.MatMul(x, p)", "want rank 2"},
    {"tf.StridedSlice(x, const i32[1] {5}, const i32[1] {6}, const i32[1] {1}) {shrink_axis_mask: "
     "1}",
     "slice index 5 is out of bounds"},
    {"tf.Einsum(x) {N: 1, equation: \"aa->a\"}", "2 and 3 elements"},
    {"tf.CropAndResize(p, const f32[1,4] fill=0, const i32[1] {0}, const i32[2] {0, 2})",
     "'crop_size' is [0,2]"},
    {"tf.MatrixDiagPartV3(x, const i32[1] {5}, const f32[] 0)", "diagonals 5 to 5 of a 2x3 matrix"},
    {"tf.ScatterNd(const i32[2,1] {0, 1}, x, const i32[2] {-1, 3})", "negative or too large"},
    {"tf.UnsortedSegmentSum(x, const i32[3] {0, 1, 2}, const i32[] 3)", "for data [2,3]"},
    {"tf.Conv3D(p, const f32[1,1,1,2,1] fill=0) {strides: [1, 1, 1, 1, 1], padding: \"SAME\"}",
     "want rank 5"},
    {"tf.EnsureShape(x) {shape: shape[2,4]}", "is not the promised [2,4]"},
    {"tf.FakeQuantWithMinMaxArgs(x) {num_bits: 17}", "want [2, 16]"},
    {"tf.Select(const bool[3] {true, false, true}, x, x)", "'condition' has shape [3]"},
    {"tf.AddV2(x, p)", "AddV2 'y': shapes do not broadcast"},
};

TEST(Legalize, SaysWhatIsWrongWithAnOp) {
  for (const BadOp& op : kBadOps) {
    const std::string error = ErrorOf(Legalize, fmt::format(R"(
      x = arg f32[2,3]
      i = arg i32[2]
      p = arg f32[1,4,4,2]
      y = {}
      out = ret(y))",
                                                            op.line));
    EXPECT_NE(error.find(op.reason), std::string::npos) << op.line << "\n" << error;
    EXPECT_NE(error.find("'y'"), std::string::npos) << error;
  }
}

// Complex results may not be fetched, so the bad op needs a reader.
TEST(Legalize, SaysWhatIsWrongWithAComplexOp) {
  const std::string error = ErrorOf(Legalize, R"(
    x = arg f32[2,3]
    y = tf.RFFT(x, const i32[1] {0})
    z = tf.Real(y)
    out = ret(z))");
  EXPECT_NE(error.find("RFFT 'y': 'fft_length' is [0]"), std::string::npos) << error;
}

TEST(Legalize, SaysWhatIsWrongWithAComplexTranspose) {
  constexpr std::pair<const char*, const char*> kBadPermutations[] = {
      {"const i32[2] {1, -1}", "'perm' is [1,1], which names a dimension twice"},
      {"const i32[2] {0, 2}", "'perm' is 2, want [-2, 2)"},
      {"const i32[3] {0, 1, 2}", "'perm' is [0,1,2], want 2 values"},
  };
  for (const auto& [perm, reason] : kBadPermutations) {
    const std::string error = ErrorOf(Legalize, fmt::format(R"(
      x = arg f32[2,3]
      c = tf.Complex(x, x)
      y = tf.Transpose(c, {}) {{T: DT_COMPLEX64}}
      z = tf.Real(y)
      out = ret(z))",
                                                            perm));
    EXPECT_NE(error.find(fmt::format("Transpose 'y': {}", reason)), std::string::npos)
        << perm << "\n"
        << error;
  }
}

}  // namespace
}  // namespace linnet::converter
