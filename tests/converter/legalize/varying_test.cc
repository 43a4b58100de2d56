// SPDX-License-Identifier: Apache-2.0
// Extents that vary: which become symbols, which are refused, and the messages. Values are tested
// by tests/conformance/tf/varying.json.
#include <gtest/gtest.h>

#include "converter/graph/extent.h"
#include "converter/graph/text/text.h"
#include "converter/pass/passes.h"
#include "fmt/format.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/where.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(Extent, IsASumOfSymbols) {
  SymbolTable table;
  const int n = table.Add("n", 0, 10), m = table.Add("m", 2, 5);
  const Extent sum = Extent::OfSymbol(n) * 2 - Extent::OfSymbol(m) + 3;
  EXPECT_EQ(table.Text(sum), "2*n - m + 3");
  EXPECT_EQ(table.Max(sum), 21);
  EXPECT_EQ(table.Min(sum), -2);
  EXPECT_EQ(sum - sum, Extent(0));
  EXPECT_TRUE((sum + Extent::OfSymbol(m) - Extent::OfSymbol(n) * 2).is_constant());
}

TEST(Extent, EqualSymbolsAreOne) {
  SymbolTable table;
  const int a = table.Add("a", 0, 10), b = table.Add("b", 0, 10);
  EXPECT_FALSE(table.Equal(Extent::OfSymbol(a), Extent::OfSymbol(b)));
  table.Merge(a, b);
  EXPECT_TRUE(table.Equal(Extent::OfSymbol(a), Extent::OfSymbol(b)));
  EXPECT_EQ(table.Max(Extent::OfSymbol(a) - Extent::OfSymbol(b)), 0);
}

// A graph whose arguments a and b have n and m rows; n and m range from 1 to the number in the
// text.
class Varying : public testing::Test {
 protected:
  void Load(std::string_view text) {
    graph_ = Parse(text);
    for (const char* name : {"a", "b"}) {
      Node* arg = graph_->FindNode(name);
      if (arg == nullptr) continue;
      SymbolicShapes::Extents extents = graph_->ExtentsOf({arg, 0});
      extents[0] = Extent::OfSymbol(
          graph_->shapes().AddSymbol(*name == 'a' ? "n" : "m", 1, arg->type().shape[0], {}));
      graph_->SetExtents({arg, 0}, extents);
    }
  }
  std::string Error() {
    const absl::StatusOr<int> result = Legalize(*graph_, context_);
    return std::string(result.status().message().data(), result.status().message().size());
  }
  // The extents of the result, followed by the largest ones.
  std::string Result(std::string_view text) {
    Load(text);
    if (const std::string error = Error(); !error.empty()) return error;
    const Output result = graph_->FindNode("out")->input(0);
    const Shape& largest = result.node->type(result.index).shape;
    return graph_->shapes().symbols().Text(graph_->ExtentsOf(result)) +
           SymbolTable().Text(SymbolicShapes::Extents(largest.begin(), largest.end()));
  }

  std::unique_ptr<Graph> graph_;
  PassContext context_;
};

TEST_F(Varying, SumsThatCancelAreFixed) {
  // a, padded to ten rows with a padding computed from its Shape
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    s = tf.Shape(a)
    k = tf.StridedSlice(s, const i32[1] {0}, const i32[1] {1}, const i32[1] {1}) {shrink_axis_mask: 1}
    left = tf.Sub(const i32[] 10, k)
    d = tf.Pack(left, const i32[] 4) {N: 2, axis: 0}
    z = tf.Fill(d, const f32[] 0)
    y = tf.ConcatV2(a, z, const i32[] 0) {N: 2}
    out = ret(y))"),
            "[10,4][10,4]");
}

TEST_F(Varying, ExtentsFollowTheOps) {
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    b = arg f32[6,4]
    y = tf.ConcatV2(a, b, a, const i32[] 0) {N: 3}
    out = ret(y))"),
            "[2*n + m,4][26,4]");
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    y = tf.Reshape(a, const i32[2] {-1, 2})
    out = ret(y))"),
            "[2*n,2][20,2]");
}

TEST_F(Varying, EqualExtentsAreFoundOut) {
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    b = arg f32[10,4]
    y = tf.AddV2(a, b)
    out = ret(y))"),
            "[n,4][10,4]");
}

TEST_F(Varying, WhatDataFindsIsASymbolOfItsOwn) {
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    y = tf.Where(a)
    out = ret(y))"),
            "[y/all,2][40,2]");
}

TEST_F(Varying, UniquesAreCounted) {
  EXPECT_EQ(Result(R"(
    a = arg i32[10]
    y = tf.Unique(a)
    out = ret(y))"),
            "[y/all][10]");
  EXPECT_EQ(Result(R"(
    a = arg i32[10]
    y = tf.UniqueWithCounts(a)
    out = ret(y:1))"),
            "[n][10]");
  EXPECT_EQ(Result(R"(
    a = arg i32[10,4]
    y = tf.UniqueV2(a, const i64[1] {1})
    out = ret(y))"),
            "[n,y/all][10,4]");
}

TEST_F(Varying, EachPartitionIsCounted) {
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    b = arg i32[10]
    y = tf.DynamicPartition(a, b) {num_partitions: 2}
    z = tf.ConcatV2(y:1, y, const i32[] 0) {N: 2}
    out = ret(z))"),
            "[y/indices_0/rows/all + y/indices_1/rows/all,4][20,4]");
}

TEST_F(Varying, WhatIsFoundInConstantsIsFixed) {
  EXPECT_EQ(Result(R"(
    y = tf.Where(const bool[4] {true, false, true, true})
    out = ret(y))"),
            "[3,1][3,1]");
  EXPECT_EQ(Result(R"(
    y = tf.Unique(const i32[5] {3, 1, 3, 1, 3})
    out = ret(y))"),
            "[2][2]");
  EXPECT_EQ(Result(R"(
    y = tf.ListDiff(const i32[5] {1, 2, 3, 4, 5}, const i32[2] {4, 2})
    out = ret(y))"),
            "[3][3]");
  EXPECT_EQ(Result(R"(
    x = arg f32[4,3]
    y = tf.DynamicPartition(x, const i32[4] {1, 0, 1, 1}) {num_partitions: 2}
    out = ret(y:1))"),
            "[3,3][3,3]");
  for (const Node* node : graph_->op_nodes()) EXPECT_FALSE(node->Is<WhereAttrs>());
}

TEST_F(Varying, StitchesAreAsLongAsTheirIndicesAllow) {
  EXPECT_EQ(Result(R"(
    x = arg f32[8,3]
    p = arg i32[8]
    i = tf.DynamicPartition(const i32[8] {0, 1, 2, 3, 4, 5, 6, 7}, p) {num_partitions: 2}
    d = tf.DynamicPartition(x, p) {num_partitions: 2}
    y = tf.DynamicStitch(i, i:1, d, d:1) {N: 2}
    out = ret(y))"),
            "[y/last + 1,3][8,3]");
  Load(R"(
    x = arg f32[8,3]
    i = arg i32[8]
    y = tf.DynamicStitch(i, x) {N: 1}
    out = ret(y))");
  EXPECT_NE(Error().find("--max y=N"), std::string::npos) << Error();
}

TEST_F(Varying, OpsThatWantFixedExtentsSaySo) {
  Load(R"(
    a = arg f32[10,8,8,3]
    y = tf.ResizeArea(a, const i32[2] {4, 4})
    out = ret(y))");
  EXPECT_NE(Error().find("ResizeArea 'y': it wants fixed extents, but input 0 has [n,8,8,3]"),
            std::string::npos)
      << Error();
}

TEST_F(Varying, AFilterWhoseSizeVariesIsRefused) {
  Load(R"(
    x = arg f32[1,8,8,1]
    a = arg f32[10,3,1,1]
    y = tf.Conv2D(x, a) {strides: [1, 1, 1, 1], padding: "SAME"}
    out = ret(y))");
  EXPECT_NE(Error().find("want a fixed height and width"), std::string::npos) << Error();
}

TEST_F(Varying, RaggedTensorsWantToKnowWhereRowsEnd) {
  Load(R"(
    v = arg f32[4]
    y = tf.RaggedTensorToTensor(const i64[1] {4}, v, const f32[] 0, const i64[] 4) {row_partition_types: ["FIRST_DIM_SIZE"], num_row_partition_tensors: 1}
    out = ret(y))");
  EXPECT_NE(Error().find("no partition says where rows end"), std::string::npos) << Error();
}

// The pads are in the plan unless they depend on what varies.
TEST_F(Varying, MarginsThatDependOnAnExtentAreLeftToTheRun) {
  static constexpr char kPool[] = R"(
    a = arg f32[10,8,8,3]
    t = tf.Transpose(a, const i32[4] {{1, 0, 2, 3}})
    y = tf.MaxPool(t) {{ksize: [1, 3, 3, 1], strides: [1, {}, 2, 1], padding: "SAME"}}
    out = ret(y))";
  EXPECT_EQ(Result(fmt::format(kPool, 1)), "[8,n,4,3][8,10,4,3]");
  const Pool2DAttrs fixed = graph_->FindNode("y")->attrs<Pool2DAttrs>();
  EXPECT_FALSE(fixed.same);
  EXPECT_EQ(fixed.pad_top, 1);
  EXPECT_EQ(fixed.pad_right, 1);
  EXPECT_EQ(Result(fmt::format(kPool, 2)), "[8,y.1,4,3][8,5,4,3]");
  const Pool2DAttrs varying = graph_->FindNode("y")->attrs<Pool2DAttrs>();
  EXPECT_TRUE(varying.same);
  EXPECT_EQ(varying.pad_top + varying.pad_bottom + varying.pad_left + varying.pad_right, 0);
}

// Pictures of n x 8, made smaller by windows with stride 2 and 4 in several ways.
constexpr char kBranches[] = R"(
    a = arg f32[11,3,8,2]
    p = tf.Transpose(a, const i32[4] {{1, 0, 2, 3}})
    conv = tf.Conv2D(p, const f32[3,3,2,2] seed=1) {{strides: [1, 2, 2, 1], padding: "SAME"}}
    pool = tf.MaxPool(p) {{ksize: [1, 2, 2, 1], strides: [1, 2, 2, 1], padding: "SAME"}}
    less = tf.AvgPool(pool) {{ksize: [1, 3, 3, 1], strides: [1, 2, 2, 1], padding: "SAME"}}
    wide = tf.Conv2D(p, const f32[5,5,2,2] seed=2) {{strides: [1, 4, 4, 1], padding: "SAME"}}
    cut = tf.MaxPool(p) {{ksize: [1, 2, 2, 1], strides: [1, 2, 2, 1], padding: "VALID"}}
    y = tf.AddV2({}, {})
    out = ret(y))";

TEST_F(Varying, BranchesThatHalveInDifferentWaysMeetAgain) {
  EXPECT_EQ(Result(fmt::format(kBranches, "conv", "pool")), "[3,conv.1,4,2][3,6,4,2]");
  EXPECT_EQ(Result(fmt::format(kBranches, "less", "wide")), "[3,less.1,2,2][3,3,2,2]")
      << "half of a half is a quarter";
}

// Without margins 11 rows make 5, with margins 6.
TEST_F(Varying, BranchesOfOtherSizesDoNot) {
  Load(fmt::format(kBranches, "conv", "cut"));
  EXPECT_NE(Error().find("AddV2 'y'"), std::string::npos) << Error();
}

// Twice a half is cut to the whole: a half alone could not be smaller.
TEST_F(Varying, WhatIsMadeLargerAgainCanBeCut) {
  EXPECT_EQ(Result(R"(
    a = arg f32[11,3,8,2]
    p = tf.Transpose(a, const i32[4] {1, 0, 2, 3})
    half = tf.MaxPool(p) {ksize: [1, 2, 2, 1], strides: [1, 2, 2, 1], padding: "SAME"}
    twice = tf.ConcatV2(half, half, const i32[] 1) {N: 2}
    whole = tf.Shape(p)
    rows = tf.Slice(whole, const i32[1] {1}, const i32[1] {1})
    size = tf.ConcatV2(const i32[1] {3}, rows, const i32[2] {4, 2}, const i32[] 0) {N: 3}
    y = tf.Slice(twice, const i32[4] {0, 0, 0, 0}, size)
    out = ret(y))"),
            "[3,n,4,2][3,11,4,2]");
}

// n times m rows are n rows and m rows again, whichever way they were counted.
TEST_F(Varying, ProductsOfExtentsAreTakenApart) {
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    b = arg f32[6,4]
    x = tf.MatMul(a, b) {transpose_b: true}
    y = tf.Reshape(x, const i32[1] -1)
    out = ret(y))"),
            "[y/missing/elements][60]");
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    b = arg f32[6,4]
    x = tf.MatMul(a, b) {transpose_b: true}
    flat = tf.Reshape(x, const i32[1] -1)
    shape = tf.Shape(x)
    count = tf.Prod(shape, const i32[1] 0)
    again = tf.Reshape(x, count)
    sum = tf.AddV2(flat, again)
    y = tf.Reshape(sum, shape)
    out = ret(y))"),
            "[n,m][10,6]");
  EXPECT_EQ(Result(R"(
    a = arg f32[10,4]
    b = arg f32[6,4]
    x = tf.MatMul(a, b) {transpose_b: true}
    flat = tf.Reshape(x, const i32[1] -1)
    shape = tf.Shape(x)
    rows = tf.Slice(shape, const i32[1] 0, const i32[1] 1)
    wanted = tf.ConcatV2(rows, const i32[1] -1, const i32[] 0) {N: 2}
    y = tf.Reshape(flat, wanted)
    out = ret(y))"),
            "[n,m][10,6]");
}

// Eights of n times m: which runs have whole ones is left to them.
TEST_F(Varying, WhatIsLeftMayBeAQuotient) {
  EXPECT_EQ(Result(R"(
    a = arg f32[12,4]
    b = arg f32[6,4]
    x = tf.MatMul(a, b) {transpose_b: true}
    y = tf.Reshape(x, const i32[2] {-1, 8})
    out = ret(y))"),
            "[y/missing,8][9,8]");
}

TEST_F(Varying, AQuotientStaysOneWhenItIsReshaped) {
  const std::string half = R"(
    a = arg f32[8,4]
    shape = tf.Shape(a)
    rows = tf.Slice(shape, const i32[1] 0, const i32[1] 1)
    half = tf.FloorDiv(rows, const i32[1] 2)
    x = tf.Fill(half, const f32[] 1)
)";
  EXPECT_EQ(Result(half + R"(
    y = tf.Reshape(x, const i32[1] -1)
    out = ret(y))"),
            "[half][4]");
  EXPECT_EQ(Result(half + R"(
    wanted = tf.ConcatV2(half, const i32[1] -1, const i32[] 0) {N: 2}
    y = tf.Reshape(x, wanted)
    out = ret(y))"),
            "[half,1][4,1]");
}

TEST_F(Varying, NoRowsAreNoRows) {
  EXPECT_EQ(Result(R"(
    a = arg f32[10,0]
    shape = tf.Shape(a)
    rows = tf.Slice(shape, const i32[1] 0, const i32[1] 1)
    wanted = tf.ConcatV2(rows, const i32[1] -1, const i32[] 0) {N: 2}
    y = tf.Reshape(a, wanted)
    out = ret(y))"),
            "[n,0][10,0]");
}

TEST_F(Varying, ListsMayHaveElementsThatVary) {
  const std::string list = R"(
    a = arg f32[5,3]
    t = tf.Transpose(a, const i32[2] {1, 0})
    l = tf.TensorListFromTensor(t, const i32[1] -1) {element_dtype: DT_FLOAT, shape_type: DT_INT32}
)";
  EXPECT_EQ(Result(list + R"(
    y = tf.TensorListGetItem(l, const i32[] 1, const i32[1] -1) {element_dtype: DT_FLOAT}
    out = ret(y))"),
            "[n][5]");
  EXPECT_EQ(Result(list + R"(
    y = tf.TensorListStack(l, const i32[1] -1) {element_dtype: DT_FLOAT}
    out = ret(y))"),
            "[3,n][3,5]");
  const std::string error = Result(list + R"(
    y = tf.TensorListConcatV2(l, const i32[1] -1, const i64[0] {}) {element_dtype: DT_FLOAT, shape_type: DT_INT32}
    out = ret(y:1))");
  EXPECT_NE(error.find("whose lengths vary"), std::string::npos) << error;
}

TEST_F(Varying, UnboundedExtentsNeedABound) {
  constexpr char kModel[] = R"(
    x = arg f32[4]
    k = arg i32[1]
    y = tf.Fill(k, const f32[] 1)
    out = ret(y))";
  Load(kModel);
  EXPECT_NE(Error().find("--max k=N"), std::string::npos) << Error();
  context_.most["k"] = 7;
  EXPECT_EQ(Result(kModel), "[k][7]");
}

}  // namespace
}  // namespace linnet::converter
