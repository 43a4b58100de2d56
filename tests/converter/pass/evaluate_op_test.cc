// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/evaluate_op.h"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

Constant HalfEncoded(Shape shape, std::vector<uint16_t> bits) {
  Constant value = Constant::Of<uint16_t>(shape, std::move(bits));
  value.type.dtype = DType::kFloat32;
  value.encoding = schema::Encoding::Float16;
  return value;
}

BinaryAttrs Binary(schema::BinaryKind kind) {
  BinaryAttrs attrs;
  attrs.kind = kind;
  return attrs;
}

TEST(EvaluateOp, RunsThePortableKernel) {
  const Constant inputs[] = {Constant::Of<float>({2}, {1, 2}), Constant::Of<float>({}, {10})};
  const auto outputs = EvaluateOp(Binary(schema::BinaryKind::Add), inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].as<float>()[1], 12.0f);
}

TEST(EvaluateOp, FlushesDenormalsAsTensorFlowDoes) {
  const float small = std::numeric_limits<float>::min();
  const Constant inputs[] = {Constant::Of<float>({1}, {small}), Constant::Of<float>({1}, {0.5f})};
  const auto outputs = EvaluateOp(Binary(schema::BinaryKind::Mul), inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].as<float>()[0], 0.0f);
  volatile float half = 0.5f;  // and the CPU's flags stay as they were
  EXPECT_NE(small * half, 0.0f);
}

TEST(EvaluateOp, MovesEncodedElements) {
  TransposeAttrs attrs;
  attrs.perm = {1, 0};
  const Constant input = HalfEncoded({2, 2}, {0x3c00, 0x4000, 0x4200, 0x4400});
  const auto outputs = EvaluateOp(attrs, std::span(&input, 1));
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  const Constant& moved = (*outputs)[0];
  EXPECT_EQ(moved.encoding, schema::Encoding::Float16);
  EXPECT_EQ(moved.type, (TensorType{DType::kFloat32, {2, 2}}));
  EXPECT_EQ(moved.bytes.size(), 8u);
  EXPECT_EQ(moved.Plain().as<float>()[1], 3.0f);
}

TEST(EvaluateOp, MovesEncodedElementsFromAnyAddress) {
  auto bytes = std::make_shared<std::vector<std::byte>>(5);
  (*bytes)[2] = std::byte{0x3c};
  (*bytes)[4] = std::byte{0x40};
  Constant input{
      {DType::kFloat32, {2}}, schema::Encoding::Float16, {}, std::span(*bytes).subspan(1), bytes};
  SliceAttrs attrs;
  attrs.begin = {1};
  attrs.size = {2};
  attrs.stride = {-1};
  const auto outputs = EvaluateOp(attrs, std::span(&input, 1));
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].Plain().as<float>()[0], 2.0f);
}

TEST(EvaluateOp, JoinsEncodedPartsOnlyWhenTheyAgree) {
  ConcatAttrs attrs;
  const Constant half = HalfEncoded({1}, {0x3c00});
  const Constant both[] = {half, half};
  EXPECT_EQ((*EvaluateOp(attrs, both))[0].encoding, schema::Encoding::Float16);
  const Constant mixed[] = {half, Constant::Of<float>({1}, {5})};
  const auto outputs = EvaluateOp(attrs, mixed);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].encoding, schema::Encoding::Plain);
  EXPECT_EQ((*outputs)[0].as<float>()[0], 1.0f);
}

TEST(EvaluateOp, DecodesForArithmetic) {
  const Constant inputs[] = {HalfEncoded({1}, {0x4200}), HalfEncoded({1}, {0x4200})};
  const auto outputs = EvaluateOp(Binary(schema::BinaryKind::Mul), inputs);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].as<float>()[0], 9.0f);
}

TEST(EvaluateOp, SaysWhyItCannot) {
  const Constant wrong[] = {Constant::Of<float>({2}, {1, 2}), Constant::Of<float>({3}, {1, 2, 3})};
  EXPECT_TRUE(absl::IsInvalidArgument(EvaluateOp(Binary(schema::BinaryKind::Add), wrong).status()));
  const Constant zero[] = {Constant::Of<int32_t>({}, {1}), Constant::Of<int32_t>({}, {0})};
  EXPECT_TRUE(absl::IsOutOfRange(EvaluateOp(Binary(schema::BinaryKind::FloorDiv), zero).status()));
}

TEST(MayFold, LetsNothingGrowBeyondTheLimit) {
  const Constant scalar = Constant::Of<float>({}, {1});
  const TensorType small{DType::kFloat32, {1024, 1024}}, large{DType::kFloat32, {2048, 2048}};
  EXPECT_TRUE(MayFold({&scalar, 1}, {&small, 1}));
  EXPECT_FALSE(MayFold({&scalar, 1}, {&large, 1}));
  Constant weights = scalar;
  weights.type = large;
  EXPECT_TRUE(MayFold({&weights, 1}, {&large, 1}));
  const TensorType huge[] = {{DType::kFloat32, {int64_t{1} << 60}},
                             {DType::kFloat32, {int64_t{1} << 60}}};
  EXPECT_FALSE(MayFold({&scalar, 1}, huge));  // the sum does not fit
}

TEST(MayFold, TakesGrowthFromTheRoom) {
  const Constant scalar = Constant::Of<float>({}, {1});
  const TensorType four{DType::kFloat32, {4}}, one{DType::kFloat32, {1}};
  int64_t room = 30;
  EXPECT_TRUE(MayFold({&scalar, 1}, {&four, 1}, 4, &room));
  EXPECT_EQ(room, 18);
  EXPECT_TRUE(MayFold({&scalar, 1}, {&four, 1}, 4, &room));
  EXPECT_FALSE(MayFold({&scalar, 1}, {&four, 1}, 4, &room));
  EXPECT_TRUE(MayFold({&scalar, 1}, {&one, 1}, 4, &room));  // costs nothing
  EXPECT_EQ(room, 6);
  EXPECT_TRUE(MayFold({&scalar, 1}, {&one, 1}, 0, &room));  // the scalar has another reader
  EXPECT_EQ(room, 2);
  EXPECT_FALSE(MayFold({&scalar, 1}, {&one, 1}, 0, &room));
}

}  // namespace
}  // namespace linnet::converter
