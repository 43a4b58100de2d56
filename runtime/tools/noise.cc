// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/noise.h"

#include "runtime/core/half.h"

namespace linnet::tools {
namespace {

// SplitMix64 of a counter: one independent number per index, in any order.
uint64_t Hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

float Uniform(uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1.0p-24f; }

template <typename T, typename Value>
void Fill(const linnet_tensor_info& info, uint64_t key, void* to, const Value& value) {
  const int64_t count = info.bytes / static_cast<int64_t>(sizeof(T));
  for (int64_t i = 0; i < count; ++i)
    static_cast<T*>(to)[i] = static_cast<T>(value(Hash(key + static_cast<uint64_t>(i))));
}

}  // namespace

void FillNoise(const linnet_tensor_info& info, uint64_t seed, uint64_t stream, void* to) {
  const uint64_t key = Hash(seed ^ Hash(stream));
  const auto bit = [](uint64_t bits) { return bits >> 63; };
  switch (info.dtype) {
    case LINNET_FLOAT32:
      return Fill<float>(info, key, to, Uniform);
    case LINNET_FLOAT64:
      return Fill<double>(info, key, to, Uniform);
    case LINNET_FLOAT16:
      return Fill<uint16_t>(info, key, to,
                            [](uint64_t bits) { return FloatToHalf(Uniform(bits)); });
    case LINNET_UINT8:
      return Fill<uint8_t>(info, key, to, [](uint64_t bits) { return bits >> 56; });
    case LINNET_INT8:
    case LINNET_BOOL:
      return Fill<uint8_t>(info, key, to, bit);
    case LINNET_INT16:
    case LINNET_UINT16:
      return Fill<uint16_t>(info, key, to, bit);
    case LINNET_INT32:
      return Fill<int32_t>(info, key, to, bit);
    case LINNET_INT64:
      return Fill<int64_t>(info, key, to, bit);
  }
}

}  // namespace linnet::tools
