// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/core/instruction_set.h"
#include "runtime/core/panels.h"

namespace linnet::kernels {

// Products of few rows (core/panels.h) read weights as the plan has them, and decode them in
// registers, each time. The results have the bits of those with decoded weights (DecodeElements in
// core/encoding.h).

// f32 = q * scale + minimum by operations on floats, where that gives the bits of
// core/encoding.cc for each of the 256 values: with n = q - zero,
// f32 = n * scale + (n * scale_rest + minimum), each with one rounding.
struct AffineFloats {
  int32_t zero = 0;  // the q that is nearest to 0
  float scale = 0, scale_rest = 0, minimum = 0;
};

// Weights in panels that products read as the plan has them.
struct EncodedFilter {
  const std::byte* data = nullptr;  // any alignment
  bool is_affine = false;           // bytes with a scale and a minimum; else halves
  bool has_floats = false;          // whether `floats` gives the same bits as the doubles
  // Halves only, and only where MultipliesInHalves: rows are rounded to halves, and each
  // kHalfSumTerms products, in the order of the other products, are added in halves, each product
  // and sum with one rounding. Sums of these are floats, and begin with the bias. What is beyond
  // 65504 becomes infinite.
  bool in_halves = false;
  double scale = 0, minimum = 0;
  AffineFloats floats;

  int64_t element_bytes() const { return is_affine ? 1 : 2; }
};

// With so few terms a sum of halves has an error of a few 1e-3 of its largest terms.
inline constexpr int64_t kHalfSumTerms = 32;

// Whether this machine multiplies by such weights in halves: it has loops for their encoding, and
// with sums of so many products, in so many columns, they take less time than those for floats.
#if LINNET_HAS_FP16_KERNELS
bool MultipliesInHalves(schema::Encoding encoding, int64_t depth, int64_t cols);
#else
constexpr bool MultipliesInHalves(schema::Encoding, int64_t, int64_t) { return false; }
#endif

// Whether the loops of this machine read that encoding. Only sets of instructions that decode in
// one or a few of them do: elsewhere decoding each time takes longer than memory.
bool ReadsEncoded(schema::Encoding encoding);
// REQUIRES: ReadsEncoded, or MultipliesInHalves for what is multiplied `in_halves`.
EncodedFilter MakeEncodedFilter(const EncodedPanels& panels, bool in_halves);

}  // namespace linnet::kernels
