// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/encoding.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "runtime/core/half.h"

namespace linnet {
namespace {

const TensorType kType = {DType::kFloat32, {2, 3}};

TEST(Encoding, EveryOneHasItsRow) {
  for (const schema::Encoding encoding : schema::EnumValuesEncoding()) {
    const DType stored = StoredDType(DType::kFloat32, encoding);
    EXPECT_GT(DTypeBytes(stored), 0) << EncodingName(encoding);
    const int64_t elements = IsPanels(encoding) ? 3 * 8 : 6;
    EXPECT_EQ(EncodedBytes(kType, encoding), elements * DTypeBytes(stored))
        << EncodingName(encoding);
    EXPECT_EQ(stored == DType::kFloat32,
              encoding == schema::Encoding::Plain || encoding == schema::Encoding::Panels16);
    if (IsPanels(encoding)) continue;
    EXPECT_EQ(IsAffine(InPanels(encoding)), IsAffine(encoding)) << EncodingName(encoding);
    EXPECT_EQ(StoredDType(DType::kFloat32, InPanels(encoding)), stored) << EncodingName(encoding);
  }
}

TEST(Encoding, PanelsOfAnyShape) {
  EXPECT_EQ(EncodedBytes({DType::kFloat32, {9}}, schema::Encoding::Panels16), 16 * 4);
  EXPECT_EQ(EncodedBytes({DType::kFloat32, {}}, schema::Encoding::Panels16), 8 * 4);
  EXPECT_EQ(EncodedBytes({DType::kFloat32, {0, 6}}, schema::Encoding::Panels16), 0);
  EXPECT_EQ(EncodedBytes({DType::kFloat32, {6, 0}}, schema::Encoding::Panels16), 0);
}

// The number of the element of row k and column n among those of all panels.
int64_t PlaceInPanels(int64_t depth, int64_t cols, int64_t k, int64_t n) {
  const int64_t first = n / 16 * 16;
  return first * depth + k * (cols - first > 8 ? 16 : 8) + n - first;
}

TEST(Encoding, PanelsBecomeRows) {
  for (const int64_t cols : {1, 3, 7, 8, 9, 15, 16, 17, 24, 25, 33, 64}) {
    for (const int64_t depth : {1, 2, 4, 5, 63, 64, 65, 130}) {
      std::vector<uint16_t> panels(static_cast<size_t>(PanelElements(depth, cols)), 0x7e00);
      for (int64_t n = 0; n < cols; ++n)
        for (int64_t k = 0; k < depth; ++k)
          panels[static_cast<size_t>(PlaceInPanels(depth, cols, k, n))] =
              FloatToHalf(static_cast<float>((n * depth + k) % 2048));
      std::vector<float> rows(static_cast<size_t>(cols * depth), -1);
      DecodeTensor(schema::Encoding::Panels16Float16, {}, {cols, depth}, panels.data(),
                   rows.data());
      for (int64_t i = 0; i < cols * depth; ++i)
        ASSERT_EQ(rows[static_cast<size_t>(i)], static_cast<float>(i % 2048))
            << cols << " x " << depth << " at " << i;
    }
  }
}

// A column is all of a filter but its first dimension.
TEST(Encoding, PanelsOfAWindowAreThoseOfItsMatrix) {
  std::vector<float> panels(static_cast<size_t>(PanelElements(12, 5)));
  for (size_t i = 0; i < panels.size(); ++i) panels[i] = static_cast<float>(i);
  std::vector<float> matrix(60), window(60);
  DecodeTensor(schema::Encoding::Panels16, {}, {5, 12}, panels.data(), matrix.data());
  DecodeTensor(schema::Encoding::Panels16, {}, {5, 2, 3, 2}, panels.data(), window.data());
  EXPECT_EQ(matrix, window);
  EXPECT_EQ(matrix[1], 8.0f);
}

TEST(Encoding, HalvesDecode) {
  const std::vector<uint16_t> halves = {FloatToHalf(1.5f), FloatToHalf(-0.25f)};
  float out[2];
  DecodeElements(schema::Encoding::Float16, {}, halves.data(), 2, out);
  EXPECT_EQ(out[0], 1.5f);
  EXPECT_EQ(out[1], -0.25f);
}

// Several at once do what HalfToFloat does with each, at any address.
TEST(Encoding, AllHalvesDecode) {
  std::vector<uint16_t> halves(1 + (1 << 16) + 3);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i - 1);
  std::vector<float> out(halves.size() - 1);
  DecodeElements(schema::Encoding::Float16, {}, halves.data() + 1, static_cast<int64_t>(out.size()),
                 out.data());
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(std::bit_cast<uint32_t>(out[i]),
              std::bit_cast<uint32_t>(HalfToFloat(static_cast<uint16_t>(i))))
        << i;
}

// At any address, because files are not trusted to be aligned.
TEST(Encoding, IntegersAreScaledAndMoved) {
  const uint8_t bytes[] = {0xFF, 0, 200, 1, 0};
  float out[2];
  DecodeElements(schema::Encoding::AffineU8, {0.5, -1.0}, bytes + 1, 2, out);
  EXPECT_EQ(out[0], -1.0f);
  EXPECT_EQ(out[1], 99.0f);
  DecodeElements(schema::Encoding::AffineU16, {0.5, -1.0}, bytes + 1, 2, out);
  EXPECT_EQ(out[0], 25599.0f);  // 200 * 256 / 2 - 1
  EXPECT_EQ(out[1], -0.5f);
}

}  // namespace
}  // namespace linnet
