// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/encoding.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/dcheck.h"
#include "runtime/core/half.h"
#include "runtime/core/linked_parts.h"
#include "runtime/core/unaligned.h"

namespace linnet {
namespace {

// Computed in double, so that the result is rounded only once.
template <typename T>
void DecodeAffine(const schema::Affine& affine, const void* stored, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(static_cast<double>(LoadElement<T>(stored, i)) * affine.scale() +
                                affine.min());
}

#ifndef __OPTIMIZE_SIZE__
// HalfToFloat of four elements at once: compilers make no vectors of a loop over it. No operation
// has a subnormal operand, which would take many times as long.
void DecodeFourHalves(const std::byte* stored, float* out) {
  using Halves = uint16_t __attribute__((vector_size(8)));
  using Bits = uint32_t __attribute__((vector_size(16)));
  using Integers = int32_t __attribute__((vector_size(16)));
  using Floats = float __attribute__((vector_size(16)));
  Halves halves;
  std::memcpy(&halves, stored, sizeof(halves));
  const Bits half = __builtin_convertvector(halves, Bits);
  const Bits rest = (half & 0x7fffu) << 13, exponent = half & 0x7c00u;
  constexpr uint32_t kMoreExponent = (127 - 15) << 23;
  const auto mantissa = reinterpret_cast<Integers>(half & 0x3ffu);
  const auto subnormal =
      reinterpret_cast<Bits>(__builtin_convertvector(mantissa, Floats) * 0x1.0p-24f);
  Bits bits = exponent == 0x7c00u ? rest | 0x7f800000u : rest + kMoreExponent;
  bits = exponent == 0u ? subnormal : bits;
  bits |= (half & 0x8000u) << 16;
  std::memcpy(out, &bits, sizeof(bits));
}
#endif

void DecodeHalves(const void* stored, int64_t count, float* out) {
  int64_t i = 0;
#ifndef __OPTIMIZE_SIZE__
  const auto* bytes = static_cast<const std::byte*>(stored);
  for (; i + 4 <= count; i += 4) DecodeFourHalves(bytes + i * 2, out + i);
#endif
  for (; i < count; ++i) out[i] = HalfToFloat(LoadElement<uint16_t>(stored, i));
}

// Decodes the panels of a matrix into its columns, each of which is contiguous in `out`.
void DecodePanels(schema::Encoding encoding, const schema::Affine& affine, const FilterMatrix& m,
                  const std::byte* stored, float* out) {
  constexpr int64_t kRows = 64;  // of a panel at a time: some lines of each column
  const int64_t element_bytes = DTypeBytes(StoredDType(DType::kFloat32, encoding));
  float rows[kRows * kPanelCols];
  for (int64_t col = 0; col < m.cols; col += kPanelCols) {
    const int64_t width = PanelWidth(m.cols - col);
    for (int64_t k = 0; k < m.depth; k += kRows) {
      const int64_t count = std::min(kRows, m.depth - k);
      DecodeElements(encoding, affine, stored + (col * m.depth + k * width) * element_bytes,
                     count * width, rows);
      for (int64_t n = 0; n < std::min(width, m.cols - col); ++n) {
        float* column = out + (col + n) * m.depth + k;
        for (int64_t i = 0; i < count; ++i) column[i] = rows[i * width + n];
      }
    }
  }
}

}  // namespace

int64_t EncodedBytes(const TensorType& type, schema::Encoding encoding) {
  const int64_t element_bytes = DTypeBytes(StoredDType(type.dtype, encoding));
  if (!kLinkedPanels || !IsPanels(encoding)) return type.shape.num_elements() * element_bytes;
  const FilterMatrix matrix(type.shape);
  return PanelElements(matrix.depth, matrix.cols) * element_bytes;  // at most 64 times as many
}

void DecodeElements(schema::Encoding encoding, const schema::Affine& affine, const void* stored,
                    int64_t count, float* out) {
  switch (encoding) {
    case schema::Encoding::Plain:
      LINNET_DCHECK(false);
      break;
    case schema::Encoding::Panels16:
      std::memcpy(out, stored, static_cast<size_t>(count) * sizeof(float));
      break;
    case schema::Encoding::Float16:
    case schema::Encoding::Panels16Float16:
      DecodeHalves(stored, count, out);
      break;
    case schema::Encoding::AffineU8:
    case schema::Encoding::Panels16AffineU8:
      DecodeAffine<uint8_t>(affine, stored, count, out);
      break;
    case schema::Encoding::AffineU16:
    case schema::Encoding::Panels16AffineU16:
      DecodeAffine<uint16_t>(affine, stored, count, out);
      break;
  }
}

void DecodeTensor(schema::Encoding encoding, const schema::Affine& affine, const Shape& shape,
                  const void* stored, float* out) {
  if (shape.num_elements() == 0) return;  // the other extents may be huge
  if (kLinkedPanels && IsPanels(encoding))
    DecodePanels(encoding, affine, FilterMatrix(shape), static_cast<const std::byte*>(stored), out);
  else
    DecodeElements(encoding, affine, stored, shape.num_elements(), out);
}

}  // namespace linnet
