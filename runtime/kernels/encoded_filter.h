// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

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
  double scale = 0, minimum = 0;
  AffineFloats floats;

  int64_t element_bytes() const { return is_affine ? 1 : 2; }
};

// Whether the loops of this machine read that encoding. Only sets of instructions that decode in
// one or a few of them do: elsewhere decoding each time takes longer than memory.
bool ReadsEncoded(schema::Encoding encoding);
// REQUIRES: ReadsEncoded.
EncodedFilter MakeEncodedFilter(const EncodedPanels& panels);

}  // namespace linnet::kernels
