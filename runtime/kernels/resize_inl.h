// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

struct Interpolation {
  LINNET_INLINE Vec operator()(Vec low, Vec high) const { return low + (high - low) * weight; }
  float weight;
};

void Interpolate(const float* low, const float* high, float weight, int64_t count, float* out) {
  Map(Interpolation{weight}, count, out, low, high);
}

}  // namespace linnet::LINNET_ISA
