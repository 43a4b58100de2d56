// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/lookup.h"

#include <algorithm>
#include <type_traits>

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 10;  // queries worth a thread

// Consecutive keys, which most tables of ids have, need no search.
template <typename T>
bool IsRange(const T* keys, int64_t num_keys) {
  using Bits = std::make_unsigned_t<T>;
  return num_keys > 0 && static_cast<Bits>(keys[num_keys - 1]) - static_cast<Bits>(keys[0]) ==
                             static_cast<uint64_t>(num_keys - 1);
}

template <typename T>
void LookupAll(const T* queries, int64_t num_queries, const T* keys, int64_t num_keys,
               int32_t* positions, const Parallel& parallel) {
  using Bits = std::make_unsigned_t<T>;
  const bool is_range = IsRange(keys, num_keys);
  const auto none = static_cast<int32_t>(num_keys);
  ParallelFor(parallel, num_queries, kGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T query = queries[i];
      if (is_range) {
        const Bits place = static_cast<Bits>(query) - static_cast<Bits>(keys[0]);
        positions[i] = place < static_cast<Bits>(num_keys) ? static_cast<int32_t>(place) : none;
      } else {
        const T* found = std::lower_bound(keys, keys + num_keys, query);
        const bool is_key = found != keys + num_keys && *found == query;
        positions[i] = is_key ? static_cast<int32_t>(found - keys) : none;
      }
    }
  });
}

}  // namespace

void Lookup(DType dtype, const void* queries, int64_t num_queries, const void* keys,
            int64_t num_keys, int32_t* positions, const Parallel& parallel) {
  if (dtype == DType::kInt32)
    LookupAll(static_cast<const int32_t*>(queries), num_queries, static_cast<const int32_t*>(keys),
              num_keys, positions, parallel);
  else
    LookupAll(static_cast<const int64_t*>(queries), num_queries, static_cast<const int64_t*>(keys),
              num_keys, positions, parallel);
}

}  // namespace linnet::kernels
