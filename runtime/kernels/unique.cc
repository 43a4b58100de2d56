// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/unique.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace linnet::kernels {
namespace {

// Returns equal bits for equal elements.
template <typename T>
uint64_t BitsOf(T x) {
  if constexpr (std::is_same_v<T, float>)
    return x == 0 ? 0 : std::bit_cast<uint32_t>(x);
  else
    return x;
}

// A hash table with open addressing of the rows in `unique`. Slots contain indices of rows, free
// ones -1. At most half of them are used.
template <typename T>
class RowTable {
 public:
  RowTable(const T* unique, int64_t row, int32_t* slots, int64_t num_slots,
           const Parallel& parallel)
      : unique_(unique), row_(row), slots_(slots), mask_(static_cast<uint64_t>(num_slots) - 1) {
    InParts(parallel, 0, num_slots, kWorkPerQuestion,
            [&](int64_t begin, int64_t end) { std::fill(slots + begin, slots + end, -1); });
  }

  // The slot of the row that equals `row`, or the free slot where it belongs. Any slot when the run
  // shall stop.
  int32_t* Find(const T* row, Questions& questions) const {
    uint64_t at = Hash(row) >> std::countl_zero(mask_);
    while (slots_[at] >= 0 && !std::equal(row, row + row_, unique_ + slots_[at] * row_) &&
           !questions.Stop(16))
      at = (at + 1) & mask_;
    return slots_ + at;
  }

 private:
  // Multiplication moves bits upwards, so the highest bits depend on the whole row.
  uint64_t Hash(const T* row) const {
    constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    uint64_t hash = 0;
    for (int64_t i = 0; i < row_; ++i) hash = (std::rotl(hash, 23) ^ BitsOf(row[i])) * kGoldenRatio;
    return hash;
  }

  const T* unique_;
  int64_t row_;
  int32_t* slots_;
  uint64_t mask_;
};

// False for a row with NaN, which is not put in the table because it equals no row.
template <typename T>
bool EqualsItself(const T* row, int64_t count) {
  return !std::is_floating_point_v<T> || std::equal(row, row + count, row);
}

template <typename T>
int32_t UniqueOf(int64_t rows, int64_t row, const T* in, int32_t* slots, T* unique,
                 int32_t* numbers, int32_t* counts, const Parallel& parallel) {
  Questions questions(parallel);
  const RowTable<T> table(unique, row, slots, UniqueSlots(rows), parallel);
  if (parallel.Stopped()) return 0;
  int32_t found = 0;
  for (int64_t i = 0; i < rows && !questions.Stop(4 * row + 64); ++i, in += row) {
    int32_t outside = -1;
    int32_t* const slot = EqualsItself(in, row) ? table.Find(in, questions) : &outside;
    if (*slot < 0) {
      std::copy_n(in, row, unique + found * row);
      counts[found] = 0;
      *slot = found++;
    }
    numbers[i] = *slot;
    ++counts[*slot];
  }
  return found;
}

}  // namespace

int64_t UniqueSlots(int64_t rows) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * rows + 2)));
}

int32_t Unique(DType dtype, int64_t rows, int64_t row, const void* in, int32_t* slots, void* unique,
               int32_t* numbers, int32_t* counts, const Parallel& parallel) {
  const auto run = [&]<typename T>(T) {
    return UniqueOf(rows, row, static_cast<const T*>(in), slots, static_cast<T*>(unique), numbers,
                    counts, parallel);
  };
  if (dtype == DType::kFloat32) return run(float());
  // Integers are equal when their bits are equal.
  switch (DTypeBytes(dtype)) {
    case 1:
      return run(uint8_t());
    case 2:
      return run(uint16_t());
    case 4:
      return run(uint32_t());
    default:
      return run(uint64_t());
  }
}

}  // namespace linnet::kernels
