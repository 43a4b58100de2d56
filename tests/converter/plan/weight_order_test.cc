// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/weight_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "converter/graph/text/text.h"
#include "converter/plan/weight_layout.h"
#include "runtime/core/encoding.h"

namespace linnet::converter {
namespace {

// The encodings of a graph's weights in a plan, by name.
std::string Encodings(std::string_view text, WeightOrder order = WeightOrder::kPanels) {
  const auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return "";
  std::vector<PortName> in, out;
  for (const Node* node : (*graph)->op_nodes()) {
    if (node->node_class() == NodeClass::kArg) in.push_back({node->name(), ""});
    if (node->node_class() == NodeClass::kRetval) out.push_back({node->name(), ""});
  }
  const auto program = BuildProgram(**graph, "key", in, out);
  EXPECT_TRUE(program.ok()) << program.status();
  std::string names;
  for (const auto& weight : LayOutWeights({&*program, 1}, order).weights)
    names += (names.empty() ? "" : " ") + std::string(EncodingName(weight.encoding));
  return names;
}

TEST(WeightOrder, FiltersOfProductsAreInPanels) {
  constexpr char kProduct[] =
      "x = arg f32[3,64] y = FullyConnected(x, const f32[32,64] seed=1) {} r = ret(y)";
  EXPECT_EQ(Encodings(kProduct), "panels16");
  EXPECT_EQ(Encodings(kProduct, WeightOrder::kRows), "plain");
  EXPECT_EQ(Encodings("x = arg f32[1,5,5,16] y = Conv2D(x, const f32[24,3,3,16] seed=1) {} "
                      "r = ret(y)"),
            "panels16");
  EXPECT_EQ(Encodings("x = arg f32[3,64] y = FullyConnected(x, const f32[32,64] encoding=Float16 "
                      "seed=1) {} r = ret(y)"),
            "panels16_float16");
  EXPECT_EQ(Encodings("x = arg f32[3,64] y = FullyConnected(x, const f32[32,64] encoding=AffineU8 "
                      "scale=0.1 min=-1 seed=1) {} r = ret(y)"),
            "panels16_affine_u8");
}

TEST(WeightOrder, SmallFiltersAndThoseWithMuchPaddingStay) {
  EXPECT_EQ(Encodings("x = arg f32[3,31] y = FullyConnected(x, const f32[32,31] seed=1) {} "
                      "r = ret(y)"),
            "plain");
  EXPECT_EQ(Encodings("x = arg f32[3,999] y = FullyConnected(x, const f32[6,999] seed=1) {} "
                      "r = ret(y)"),
            "plain");
}

TEST(WeightOrder, FiltersThatAreTransformedOrDividedStay) {
  EXPECT_EQ(Encodings("x = arg f32[1,8,8,16] y = Conv2D(x, const f32[24,3,3,16] seed=1) "
                      "{pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1, winograd: 4} "
                      "r = ret(y)"),
            "plain");
  EXPECT_EQ(Encodings("x = arg f32[1,8,8,32] y = Conv2D(x, const f32[32,3,3,16] seed=1) "
                      "{groups: 2} r = ret(y)"),
            "plain");
}

TEST(WeightOrder, WhatOthersReadTooStays) {
  constexpr char kProduct[] =
      "x = arg f32[32,64] w = const f32[32,64] seed=1 "
      "y = FullyConnected(x, w) {} r = ret(y) ";
  EXPECT_EQ(Encodings(kProduct), "panels16");
  EXPECT_EQ(Encodings(std::string(kProduct) + "z = Binary(x, w) {kind: Add} s = ret(z)"), "plain");
  EXPECT_EQ(Encodings(std::string(kProduct) + "z = Unary(x) {kind: Exp} s = ret(w)"), "plain");
  EXPECT_EQ(Encodings(std::string(kProduct) + "z = FullyConnected(y, const f32[8,32] seed=2) {} "
                                              "u = FullyConnected(w, w) {} s = ret(u) t = ret(z)"),
            "plain plain");
}

// The same bytes are two matrices.
TEST(WeightOrder, OneWeightIsOneMatrix) {
  EXPECT_EQ(Encodings("x = arg f32[2,64] y = FullyConnected(x, const f32[32,64] fill=1) {} "
                      "z = FullyConnected(y, const f32[64,32] fill=1) {} r = ret(z)"),
            "plain");
}

TEST(WeightOrder, DecodingUndoesIt) {
  for (const int64_t cols : {1, 7, 8, 9, 16, 17, 24, 40}) {
    for (const int64_t depth : {1, 3, 16, 50}) {
      std::vector<float> rows(static_cast<size_t>(cols * depth));
      for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i) + 0.5f;
      const auto panels = BytesInPanels(Constant::Of<float>({cols, depth}, rows));
      EXPECT_EQ(static_cast<int64_t>(panels.size()),
                EncodedBytes({DType::kFloat32, {cols, depth}}, schema::Encoding::Panels16));
      std::vector<float> back(rows.size());
      DecodeTensor(schema::Encoding::Panels16, {}, {cols, depth}, panels.data(), back.data());
      EXPECT_EQ(back, rows) << cols << " x " << depth;
    }
  }
}

// Elements of one byte and of two are moved, not decoded.
TEST(WeightOrder, EncodedElementsStayEncoded) {
  std::vector<uint8_t> rows(17 * 9);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<uint8_t>(i);
  Constant constant = Constant::Of<uint8_t>({17, 9}, rows);
  constant.type.dtype = DType::kFloat32;
  constant.encoding = schema::Encoding::AffineU8;
  const auto panels = BytesInPanels(constant);
  EXPECT_EQ(panels.size(), 24u * 9);
  std::vector<float> back(rows.size());
  DecodeTensor(schema::Encoding::Panels16AffineU8, {1, 0}, {17, 9}, panels.data(), back.data());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(back[i], static_cast<float>(rows[i])) << i;
}

}  // namespace
}  // namespace linnet::converter
