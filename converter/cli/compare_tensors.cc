// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/compare_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmt/format.h"
#include "runtime/core/half.h"
#include "runtime/core/unaligned.h"

namespace linnet::cli {
namespace {

constexpr int kMaxLines = 8;

double Element(linnet_dtype dtype, const void* data, int64_t i) {
  switch (dtype) {
    case LINNET_FLOAT32:
      return LoadElement<float>(data, i);
    case LINNET_FLOAT64:
      return LoadElement<double>(data, i);
    case LINNET_FLOAT16:
      return HalfToFloat(LoadElement<uint16_t>(data, i));
    case LINNET_INT32:
      return LoadElement<int32_t>(data, i);
    case LINNET_INT64:
      return static_cast<double>(LoadElement<int64_t>(data, i));
    case LINNET_INT16:
      return LoadElement<int16_t>(data, i);
    case LINNET_UINT16:
      return LoadElement<uint16_t>(data, i);
    case LINNET_INT8:
      return LoadElement<int8_t>(data, i);
    default:
      return LoadElement<uint8_t>(data, i);
  }
}

bool IsFloating(linnet_dtype dtype) {
  return dtype == LINNET_FLOAT32 || dtype == LINNET_FLOAT16 || dtype == LINNET_FLOAT64;
}

int64_t NumElements(const linnet_tensor_info& info) {
  int64_t count = 1;
  for (int32_t i = 0; i < info.rank; ++i) count *= info.dims[i];
  return count;
}

double Magnitude(const TensorData& tensor) {
  double most = 0;
  for (int64_t i = 0; i < NumElements(tensor.info); ++i) {
    const double value = std::abs(Element(tensor.info.dtype, tensor.data, i));
    if (std::isfinite(value)) most = std::max(most, value);
  }
  return most;
}

}  // namespace

Comparison CompareTensors(const TensorData& a, const TensorData& b, double tolerance) {
  Comparison comparison;
  const linnet_dtype dtype = a.info.dtype;
  const int64_t count = NumElements(a.info);
  const int64_t width = count == 0 ? 0 : a.info.bytes / count;
  if (a.info.rank != b.info.rank ||
      !std::equal(a.info.dims, a.info.dims + a.info.rank, b.info.dims)) {
    comparison.different = std::max<int64_t>({count, NumElements(b.info), 1});
    comparison.text = "  their shapes differ\n";
    return comparison;
  }
  const double magnitude = IsFloating(dtype) ? Magnitude(b) : 0;
  for (int64_t i = 0; i < count; ++i) {
    // Equal bits need no arithmetic, and integers of 64 bits stay exact.
    if (std::memcmp(static_cast<const char*>(a.data) + i * width,
                    static_cast<const char*>(b.data) + i * width, static_cast<size_t>(width)) == 0)
      continue;
    const double x = Element(dtype, a.data, i), y = Element(dtype, b.data, i);
    if (IsFloating(dtype)) {
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      const double difference = std::abs(x - y);
      if (difference <= tolerance * magnitude) {
        comparison.worst = std::max(comparison.worst, difference / magnitude);
        continue;
      }
    }
    if (++comparison.different <= kMaxLines)
      comparison.text += fmt::format("  element {}: {} against {}\n", i, x, y);
  }
  if (comparison.different > 0)
    comparison.text += fmt::format("  {} of {} elements differ by more than {:g}\n",
                                   comparison.different, count, tolerance * magnitude);
  return comparison;
}

}  // namespace linnet::cli
