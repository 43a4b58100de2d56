// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/constant.h"

#include <gtest/gtest.h>

namespace linnet::converter {
namespace {

Constant Encoded(schema::Encoding encoding, Shape shape, std::vector<uint8_t> bytes,
                 schema::Affine affine = {}) {
  Constant c = Constant::Of<uint8_t>({static_cast<int64_t>(bytes.size())}, std::move(bytes));
  c.type = {DType::kFloat32, shape};
  c.encoding = encoding;
  c.affine = affine;
  return c;
}

TEST(Constant, PlainOfAlignedBytesIsItself) {
  void* data = nullptr;
  const Constant c = Constant::Allocate({DType::kFloat32, {3}}, &data);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  EXPECT_EQ(c.Plain().bytes.data(), c.bytes.data());
  EXPECT_EQ(c.as<float>()[2], 0.0f);
}

TEST(Constant, PlainCopiesUnalignedBytes) {
  std::vector<uint8_t> bytes(9);
  const float value = 2.5f;
  std::memcpy(bytes.data() + 1, &value, 4);
  Constant c = Constant::Of<uint8_t>({9}, bytes);
  c.type = {DType::kFloat32, {2}};
  c.bytes = c.bytes.subspan(1);
  EXPECT_EQ(c.Plain().as<float>()[0], 2.5f);
}

TEST(Constant, DecodesWeights) {
  EXPECT_EQ(
      Encoded(schema::Encoding::Float16, {2}, {0x00, 0x3c, 0x00, 0xc0}).Plain().as<float>()[1],
      -2.0f);
  const Constant u8 = Encoded(schema::Encoding::AffineU8, {2}, {0, 255}, schema::Affine(0.1, -1));
  EXPECT_EQ(u8.Plain().as<float>()[0], -1.0f);
  EXPECT_EQ(u8.Plain().as<float>()[1], static_cast<float>(255.0 * 0.1 - 1));
  const Constant u16 =
      Encoded(schema::Encoding::AffineU16, {1}, {0x01, 0x01}, schema::Affine(2, 0.5));
  EXPECT_EQ(u16.Plain().as<float>()[0], 514.5f);
}

TEST(Constant, Integers) {
  EXPECT_EQ(Constant::Of<int32_t>({2}, {-1, 7}).ToInt64(), (std::vector<int64_t>{-1, 7}));
  EXPECT_EQ(Constant::Of<int64_t>({1}, {int64_t{1} << 40}).ToInt64()[0], int64_t{1} << 40);
  EXPECT_EQ(Constant::Of<int8_t>({1}, {-3}).ToInt64()[0], -3);
  EXPECT_EQ(Constant::Of<uint8_t>({1}, {200}).ScalarValue(), 200.0);
  EXPECT_EQ(Constant::Of<float>({}, {0.5f}).ScalarValue(), 0.5);
}

TEST(Constant, SameAs) {
  EXPECT_TRUE(Constant::Of<float>({1}, {1}).SameAs(Constant::Of<float>({1}, {1})));
  EXPECT_FALSE(Constant::Of<float>({1}, {1}).SameAs(Constant::Of<float>({1}, {2})));
  EXPECT_FALSE(Constant::Of<float>({1}, {1}).SameAs(Constant::Of<float>({}, {1})));
  const auto at = [](double min) {
    return Encoded(schema::Encoding::AffineU8, {1}, {1}, schema::Affine(1, min));
  };
  EXPECT_FALSE(at(0).SameAs(at(1)));
}

}  // namespace
}  // namespace linnet::converter
