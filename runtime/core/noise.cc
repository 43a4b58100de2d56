// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/noise.h"

#include <algorithm>

#include "runtime/core/half.h"

namespace linnet {
namespace {

// SplitMix64 of a counter: one independent number per index, in any order.
uint64_t Hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

template <typename T, typename Value>
void Fill(const TensorType& type, uint64_t key, void* to, const Value& value) {
  const int64_t count = type.shape.num_elements();
  for (int64_t i = 0; i < count; ++i)
    static_cast<T*>(to)[i] = static_cast<T>(value(Hash(key + static_cast<uint64_t>(i))));
}

}  // namespace

void FillNoise(const TensorType& type, const NoiseRange& range, uint64_t seed, uint64_t stream,
               void* to) {
  const uint64_t key = Hash(seed ^ Hash(stream));
  const auto uniform = [&](uint64_t bits) {
    return range.low + (range.high - range.low) * (static_cast<float>(bits >> 40) * 0x1.0p-24f);
  };
  // The upper 32 bits of a number times the count are below the count.
  const auto integer = [&](uint64_t bits) {
    return range.first +
           static_cast<int64_t>((bits >> 32) * static_cast<uint64_t>(range.count) >> 32);
  };
  const auto bit = [](uint64_t bits) { return bits >> 63; };
  switch (type.dtype) {
    case DType::kFloat32:
      return Fill<float>(type, key, to, uniform);
    case DType::kFloat64:
      return Fill<double>(type, key, to, uniform);
    case DType::kFloat16:
      return Fill<uint16_t>(type, key, to,
                            [&](uint64_t bits) { return FloatToHalf(uniform(bits)); });
    case DType::kUint8:
      return Fill<uint8_t>(type, key, to, [](uint64_t bits) { return bits >> 56; });
    case DType::kBool:
      return Fill<uint8_t>(type, key, to, bit);
    case DType::kInt8:
      return Fill<uint8_t>(type, key, to, integer);
    case DType::kInt16:
    case DType::kUint16:
      return Fill<uint16_t>(type, key, to, integer);
    case DType::kInt32:
      return Fill<int32_t>(type, key, to, integer);
    case DType::kInt64:
      return Fill<int64_t>(type, key, to, integer);
    case DType::kInvalid:
      return;
  }
}

bool Disturb(const TensorType& type, float part, uint64_t seed, uint64_t stream, void* values) {
  const uint64_t key = Hash(~seed ^ Hash(stream));
  const int64_t count = type.shape.num_elements();
  const auto factor = [&](int64_t i) {
    const uint64_t bits = Hash(key + static_cast<uint64_t>(i));
    return 1 + part * (static_cast<float>(bits >> 40) * 0x1.0p-23f - 1);
  };
  const int step = std::clamp(static_cast<int>(part * 255), 1, 255);
  for (int64_t i = 0; i < count; ++i) {
    switch (type.dtype) {
      case DType::kFloat32:
        static_cast<float*>(values)[i] *= factor(i);
        break;
      case DType::kFloat64:
        static_cast<double*>(values)[i] *= factor(i);
        break;
      case DType::kFloat16: {
        uint16_t& half = static_cast<uint16_t*>(values)[i];
        half = FloatToHalf(HalfToFloat(half) * factor(i));
        break;
      }
      case DType::kUint8: {
        uint8_t& byte = static_cast<uint8_t*>(values)[i];
        const uint64_t choices = 2 * static_cast<uint64_t>(step) + 1;
        const int change = static_cast<int>(Hash(key + static_cast<uint64_t>(i)) % choices) - step;
        byte = static_cast<uint8_t>(std::clamp(byte + change, 0, 255));
        break;
      }
      default:
        return false;
    }
  }
  return true;
}

}  // namespace linnet
