// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/encode_weights.h"

#include <gtest/gtest.h>

#include <limits>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "runtime/ops/binary.h"

namespace linnet::converter {
namespace {

// x * c, where c is a constant with these values.
std::unique_ptr<Graph> Product(std::vector<float> values) {
  auto graph = std::make_unique<Graph>(OpRegistry::Global());
  const Shape shape{static_cast<int64_t>(values.size())};
  Node* x = graph->AddArg("x", 0, {DType::kFloat32, shape});
  Node* c = graph->AddConstant("c", Constant::Of<float>(shape, std::move(values)));
  BinaryAttrs attrs;
  attrs.kind = schema::BinaryKind::Mul;
  Node* product = *graph->AddOp("p", attrs, {{x, 0}, {c, 0}});
  graph->AddRetval("y", 0, {product, 0});
  return graph;
}

TEST(EncodeWeights, HalvesAndDecodesBack) {
  std::vector<float> values(16, 0.1f);
  values[3] = -2.5f;
  const auto graph = Product(values);
  EXPECT_EQ(HalveWeights(*graph), 1);
  const Constant& halves = graph->FindNode("c")->constant();
  EXPECT_EQ(halves.encoding, schema::Encoding::Float16);
  EXPECT_EQ(halves.bytes.size(), 32u);
  EXPECT_EQ(halves.type.dtype, DType::kFloat32);
  EXPECT_EQ(HalveWeights(*graph), 0);
  EXPECT_EQ(DecodeWeights(*graph), 1);
  const Constant& plain = graph->FindNode("c")->constant();
  EXPECT_EQ(plain.as<float>()[3], -2.5f);
  EXPECT_NEAR(plain.as<float>()[0], 0.1f, 5e-5f);
}

TEST(EncodeWeights, LeavesSmallAndUnsuitableOnes) {
  EXPECT_EQ(HalveWeights(*Product(std::vector<float>(15, 1.0f))), 0);
  std::vector<float> values(16, 1.0f);
  for (const float bad : {65520.0f, -1e9f, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    values[7] = bad;
    EXPECT_EQ(HalveWeights(*Product(values)), 0) << bad;
  }
  values[7] = 65504.0f;  // the largest half
  EXPECT_EQ(HalveWeights(*Product(values)), 1);
}

}  // namespace
}  // namespace linnet::converter
