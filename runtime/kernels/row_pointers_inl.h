// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

// rows[i] = first + i * step, several addresses at a time: they are as many as a product of small
// depth has dozens of operations.
void PointToRows(const float* first, int64_t step, int64_t count, const float** rows) {
  constexpr int64_t kAddresses = sizeof(Vec) / sizeof(intptr_t);
  typedef intptr_t Addresses __attribute__((vector_size(sizeof(Vec))));
  const auto begin = reinterpret_cast<intptr_t>(first);
  const auto bytes = static_cast<intptr_t>(step * int64_t{sizeof(float)});
  Addresses next;
  LINNET_UNROLL for (int i = 0; i < kAddresses; ++i) next[i] = begin + i * bytes;
  int64_t i = 0;
  LINNET_KEEP_LOOP for (; i + kAddresses <= count; i += kAddresses) {
    __builtin_memcpy(rows + i, &next, sizeof(next));
    next += static_cast<intptr_t>(kAddresses) * bytes;
  }
  LINNET_KEEP_LOOP for (; i < count; ++i) rows[i] = first + i * step;
}

}  // namespace linnet::LINNET_ISA
