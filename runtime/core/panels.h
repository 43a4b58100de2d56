// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/core/checked.h"
#include "runtime/core/shape.h"

namespace linnet::schema {
enum class Encoding : uint8_t;
}

// How the right operand of a matrix product lies in memory, so that a product reads it from the
// first to the last byte: the order of our kernels' operands, and of weights in plans.
namespace linnet {

// A matrix [depth, cols] lies in panels of 16 columns, each panel [depth][16]; the last panel has 8
// columns if 8 are enough. Elements of missing columns are not used. The panels are contiguous, so
// panel p begins at p * 16 * depth. The same on every CPU: a row of a panel is a cache line of
// floats, and one, two or four vectors.
inline constexpr int64_t kPanelCols = 16;
inline constexpr int64_t kHalfPanelCols = 8;

constexpr int64_t PanelWidth(int64_t cols_left) {
  return cols_left > kHalfPanelCols ? kPanelCols : kHalfPanelCols;
}
constexpr int64_t NumPanels(int64_t cols) { return CeilDiv(cols, kPanelCols); }
// Elements of all panels; INT64_MAX on overflow.
constexpr int64_t PanelElements(int64_t depth, int64_t cols) {
  return SaturatingMul(depth, AlignUp(cols, kHalfPanelCols));
}

// A weight as such a matrix: a column for each index of dimension 0, as the filters of Conv2D and
// FullyConnected have one for each output channel.
struct FilterMatrix {
  explicit FilterMatrix(const Shape& shape)
      : depth(shape.Product(1, shape.rank())), cols(shape.rank() == 0 ? 1 : shape[0]) {}
  int64_t depth, cols;
};

// A weight that a plan has in panels, as it has it.
struct EncodedPanels {
  const std::byte* data = nullptr;  // any alignment; null where nothing reads it
  schema::Encoding encoding{};      // IsPanels (core/encoding.h), or Plain: no such weight
  double scale = 0, minimum = 0;    // for affine encodings

  bool exist() const { return encoding != schema::Encoding{}; }
};

// A product of few rows takes as long as its weights take to come from memory, so it reads them as
// the plan has them. More rows than a tile of sums has would decode several times, which takes
// longer than reading floats from a cache.
inline constexpr int64_t kMostEncodedRows = 4;

// How a step reads a constant that the plan has in panels.
enum class PanelForm : uint8_t {
  kNone,     // in rows
  kFloats,   // in panels of f32
  kEncoded,  // as the plan has it
};

}  // namespace linnet
