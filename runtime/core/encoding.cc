// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/encoding.h"

#include "runtime/core/dcheck.h"
#include "runtime/core/half.h"
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

}  // namespace

void DecodeElements(schema::Encoding encoding, const schema::Affine& affine, const void* stored,
                    int64_t count, float* out) {
  switch (encoding) {
    case schema::Encoding::Plain:
      LINNET_DCHECK(false);
      break;
    case schema::Encoding::Float16:
      for (int64_t i = 0; i < count; ++i) out[i] = HalfToFloat(LoadElement<uint16_t>(stored, i));
      break;
    case schema::Encoding::AffineU8:
      DecodeAffine<uint8_t>(affine, stored, count, out);
      break;
    case schema::Encoding::AffineU16:
      DecodeAffine<uint16_t>(affine, stored, count, out);
      break;
  }
}

}  // namespace linnet
