// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

namespace linnet {

// Four lanes of 32 bits, which the compiler turns into SSE, NEON or plain code.
using Lanes = uint32_t __attribute__((vector_size(16)));

inline Lanes LoadLanes(const char* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
inline void StoreLanes(char* p, Lanes v) { std::memcpy(p, &v, sizeof(v)); }

// dst[r][c] = src[c][r] for 4 x 4 elements of four bytes.
inline void TransposeTile4(const char* src, int64_t src_stride, char* dst, int64_t dst_stride) {
  const Lanes a = LoadLanes(src), b = LoadLanes(src + src_stride);
  const Lanes c = LoadLanes(src + 2 * src_stride), d = LoadLanes(src + 3 * src_stride);
  const Lanes ab_lo = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Lanes ab_hi = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Lanes cd_lo = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Lanes cd_hi = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  StoreLanes(dst, __builtin_shufflevector(ab_lo, cd_lo, 0, 1, 4, 5));
  StoreLanes(dst + dst_stride, __builtin_shufflevector(ab_lo, cd_lo, 2, 3, 6, 7));
  StoreLanes(dst + 2 * dst_stride, __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 4, 5));
  StoreLanes(dst + 3 * dst_stride, __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 6, 7));
}

template <typename T>
void TransposeCorner(const char* src, int64_t src_stride, char* dst, int64_t dst_stride,
                     int64_t rows, int64_t cols) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c)
      std::memcpy(dst + r * dst_stride + c * static_cast<int64_t>(sizeof(T)),
                  src + c * src_stride + r * static_cast<int64_t>(sizeof(T)), sizeof(T));
  }
}

// dst[r][c] = src[c][r] for r < rows, c < cols. The elements of a row are contiguous in src and
// dst; strides are bytes from row to row. Fastest when `rows` elements fill one cache line of src.
// Not inline: one copy of its code serves all callers.
template <typename T>
[[gnu::noinline]] void TransposeBlock(const char* src, int64_t src_stride, char* dst,
                                      int64_t dst_stride, int64_t rows, int64_t cols) {
  constexpr int64_t kTile = sizeof(T) == 4 ? 4 : 8;
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  for (int64_t c = 0; c < cols; c += kTile) {
    const int64_t width = std::min(kTile, cols - c);
    for (int64_t r = 0; r < rows; r += kTile) {
      const int64_t height = std::min(kTile, rows - r);
      const char* from = src + c * src_stride + r * kBytes;
      char* to = dst + r * dst_stride + c * kBytes;
      if (width < kTile || height < kTile)
        TransposeCorner<T>(from, src_stride, to, dst_stride, height, width);
      else if constexpr (sizeof(T) == 4)
        TransposeTile4(from, src_stride, to, dst_stride);
      else
        TransposeCorner<T>(from, src_stride, to, dst_stride, kTile, kTile);
    }
  }
}

}  // namespace linnet
