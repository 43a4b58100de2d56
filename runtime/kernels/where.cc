// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/where.h"

namespace linnet::kernels {
namespace {

// The next position in row-major order.
void Advance(const Shape& shape, int64_t* position) {
  for (int i = shape.rank() - 1; i >= 0; --i) {
    if (++position[i] < shape[i]) return;
    position[i] = 0;
  }
}

template <typename T>
int64_t WhereOf(const Shape& shape, const T* in, int64_t* positions, const Parallel& parallel) {
  int64_t position[kMaxRank] = {};
  const int64_t elements = shape.num_elements();
  int64_t count = 0;
  InParts(parallel, 0, elements, kWorkPerQuestion / 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (in[i] != T{0}) {
        for (int k = 0; k < shape.rank(); ++k) *positions++ = position[k];
        ++count;
      }
      Advance(shape, position);
    }
  });
  return count;
}

}  // namespace

int64_t Where(DType dtype, const Shape& shape, const void* in, int64_t* positions,
              const Parallel& parallel) {
  if (dtype == DType::kFloat32)
    return WhereOf(shape, static_cast<const float*>(in), positions, parallel);
  // Zero has the same bits in signed and unsigned integers.
  switch (DTypeBytes(dtype)) {
    case 1:
      return WhereOf(shape, static_cast<const uint8_t*>(in), positions, parallel);
    case 2:
      return WhereOf(shape, static_cast<const uint16_t*>(in), positions, parallel);
    case 4:
      return WhereOf(shape, static_cast<const uint32_t*>(in), positions, parallel);
    default:
      return WhereOf(shape, static_cast<const uint64_t*>(in), positions, parallel);
  }
}

}  // namespace linnet::kernels
