// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// rows[i] = first + i * step. Several at a time, because writing the address of a row takes a part
// of the time in which the products of a short row are computed.
void PointToRows(const float* first, int64_t step, int64_t count, const float** rows) {
  // Unsigned, as addresses of 32 bits may pass the largest signed number.
  constexpr size_t kAddresses = sizeof(Vec) / sizeof(uintptr_t);
  typedef uintptr_t Addresses __attribute__((vector_size(sizeof(Vec))));
  const auto begin = reinterpret_cast<uintptr_t>(first);
  const auto bytes = static_cast<uintptr_t>(step) * sizeof(float);
  Addresses next;
  LINNET_UNROLL for (size_t i = 0; i < kAddresses; ++i) next[i] = begin + i * bytes;
  constexpr auto kStep = static_cast<int64_t>(kAddresses);
  int64_t i = 0;
  LINNET_KEEP_LOOP for (; i + kStep <= count; i += kStep) {
    __builtin_memcpy(rows + i, &next, sizeof(next));
    next += kAddresses * bytes;
  }
  LINNET_KEEP_LOOP for (; i < count; ++i) rows[i] = first + i * step;
}

}  // namespace linnet::LINNET_ISA
