// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/encoded_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/core/encoding.h"
#include "runtime/kernels/isa.h"

namespace linnet::kernels {
namespace {

// Smaller parts are left out: with the others no result but 0 is below the smallest normal float,
// which sessions treat as 0.
float NormalOrZero(double value) {
  constexpr double kLeast = 0x1p-80;
  return std::fabs(value) < kLeast ? 0.0f : static_cast<float>(value);
}

AffineFloats FloatsOf(double scale, double minimum) {
  AffineFloats floats;
  const double zero = std::clamp(-minimum / scale, 0.0, 255.0);
  floats.zero = static_cast<int32_t>(std::lround(zero));
  floats.scale = NormalOrZero(scale);
  floats.scale_rest = NormalOrZero(scale - double{floats.scale});
  floats.minimum = NormalOrZero(floats.zero * scale + minimum);
  return floats;
}

// The loops that use them have an instruction that rounds once.
bool GiveTheBits(const AffineFloats& floats, const EncodedPanels& panels) {
  uint8_t stored[256];
  float wanted[256];
  for (int q = 0; q < 256; ++q) stored[q] = static_cast<uint8_t>(q);
  DecodeElements(panels.encoding, {panels.scale, panels.minimum}, stored, 256, wanted);
  for (int q = 0; q < 256; ++q) {
    const auto n = static_cast<float>(q - floats.zero);
    const float got = std::fma(n, floats.scale, std::fma(n, floats.scale_rest, floats.minimum));
    if (std::bit_cast<uint32_t>(got) != std::bit_cast<uint32_t>(wanted[q])) return false;
  }
  return true;
}

bool IsUsual(double value) { return std::fabs(value) < 1e30; }

}  // namespace

bool ReadsEncoded(schema::Encoding encoding) {
  if (encoding == schema::Encoding::Panels16Float16)
    return Isa<&IsaKernels::half_product>() != nullptr;
  return encoding == schema::Encoding::Panels16AffineU8 &&
         Isa<&IsaKernels::affine_product>() != nullptr;
}

#if LINNET_HAS_FP16_KERNELS
bool MultipliesInHalves(schema::Encoding encoding, int64_t depth, int64_t cols) {
#if defined(__aarch64__)
  constexpr int64_t kLeastDepth = 1, kLeastCols = 1;
#else
  // With less, rounding rows and moving sums to floats takes longer.
  constexpr int64_t kLeastDepth = 64, kLeastCols = 33;
#endif
  return encoding == schema::Encoding::Panels16Float16 && depth >= kLeastDepth &&
         cols >= kLeastCols && ChosenInstructionSet().set >= InstructionSet::kFp16;
}
#endif

EncodedFilter MakeEncodedFilter(const EncodedPanels& panels, bool in_halves) {
  EncodedFilter filter;
  filter.in_halves = in_halves;
  filter.data = panels.data;
  filter.is_affine = panels.encoding == schema::Encoding::Panels16AffineU8;
  filter.scale = panels.scale;
  filter.minimum = panels.minimum;
  if (!filter.is_affine || !IsUsual(panels.scale) || !IsUsual(panels.minimum)) return filter;
  if (std::fabs(panels.scale) < 1e-20) return filter;
  filter.floats = FloatsOf(panels.scale, panels.minimum);
  filter.has_floats = GiveTheBits(filter.floats, panels);
  return filter;
}

}  // namespace linnet::kernels
