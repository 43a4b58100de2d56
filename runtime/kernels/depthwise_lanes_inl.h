// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. What the lanes of a vector are in
// depthwise_window_inl.h: some channels of one pixel, or of two that are `step` floats from each
// other. A `Mask` names the lanes that are inside the image.

namespace linnet::LINNET_ISA {

#if LINNET_ISA_AVX512
// Up to 16 channels of a pixel.
struct PixelLanes {
  static constexpr int kPixels = 1;
  using Mask = __mmask16;
  Mask all;

  explicit PixelLanes(int64_t channels) : all(FirstLanes(channels < kLanes ? channels : kLanes)) {}
  LINNET_INLINE Mask Inside(bool first, bool last) const { return first && last ? all : Mask{0}; }
  LINNET_INLINE Vec Read(Mask lanes, const float* p, int64_t) const {
    return _mm512_maskz_loadu_ps(lanes, p);
  }
  LINNET_INLINE void Write(float* p, int64_t, Vec v) const { _mm512_mask_storeu_ps(p, all, v); }
  LINNET_INLINE static Vec MulAddLanes(Mask, Vec a, Vec b, Vec c) { return MulAdd(a, b, c); }
};

// Up to 8 channels of two pixels.
struct TwoPixelLanes {
  static constexpr int kPixels = 2;
  using Mask = __mmask16;
  Mask all;

  explicit TwoPixelLanes(int64_t channels) : all(FirstLanes(channels) * 0x101) {}
  LINNET_INLINE Mask Inside(bool first, bool last) const {
    return all & ((first ? 0xff : 0) | (last ? 0xff00 : 0));
  }
  LINNET_INLINE Vec Read(Mask lanes, const float* p, int64_t step) const {
    const __m256 first = _mm256_maskz_loadu_ps(static_cast<__mmask8>(lanes), p);
    const __m256 second = _mm256_maskz_loadu_ps(static_cast<__mmask8>(lanes >> 8), p + step);
    return _mm512_mask_broadcast_f32x8(_mm512_zextps256_ps512(first), 0xff00, second);
  }
  LINNET_INLINE void Write(float* p, int64_t step, Vec v) const {
    const auto lanes = static_cast<__mmask8>(all);
    _mm256_mask_storeu_ps(p, lanes, _mm512_castps512_ps256(v));
    _mm256_mask_storeu_ps(p + step, lanes, _mm512_extractf32x8_ps(v, 1));
  }
  // a * b + c in these lanes, c in the others.
  LINNET_INLINE static Vec MulAddLanes(Mask lanes, Vec a, Vec b, Vec c) {
    return _mm512_mask3_fmadd_ps(a, b, c, lanes);
  }
};
#else
// As many channels of a pixel as fit.
struct PixelLanes {
  static constexpr int kPixels = 1;
  using Mask = bool;  // all lanes or none
  static constexpr Mask all = true;

  LINNET_INLINE Mask Inside(bool first, bool last) const { return first && last; }
  LINNET_INLINE Vec Read(Mask, const float* p, int64_t) const { return Load<Vec>(p); }
  LINNET_INLINE void Write(float* p, int64_t, Vec v) const { Store(p, v); }
  LINNET_INLINE static Vec MulAddLanes(Mask, Vec a, Vec b, Vec c) { return MulAdd(a, b, c); }
};
#endif

}  // namespace linnet::LINNET_ISA
