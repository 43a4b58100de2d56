// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/compare_tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmt/format.h"
#include "runtime/tools/element.h"

namespace linnet::cli {
namespace {

using tools::ElementAt;
using tools::IsFloating;
using tools::NumElements;

constexpr int kMaxLines = 8;

double Magnitude(const TensorData& tensor) {
  double most = 0;
  for (int64_t i = 0; i < NumElements(tensor.info); ++i) {
    const double value = std::abs(ElementAt(tensor.info.dtype, tensor.data, i));
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
    const double x = ElementAt(dtype, a.data, i), y = ElementAt(dtype, b.data, i);
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
