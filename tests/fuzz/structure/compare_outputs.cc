// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/compare_outputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/core/half.h"

namespace linnet::fuzz {
namespace {

constexpr double kGross = 1e-2, kCalm = 1e-3, kTiny = 1e-3, kHuge = 1e6;

template <typename T>
std::vector<double> Numbers(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

std::vector<double> Floats(linnet_dtype dtype, const Bytes& bytes) {
  if (dtype == LINNET_FLOAT64) return Numbers<double>(bytes);
  if (dtype == LINNET_FLOAT32) return Numbers<float>(bytes);
  std::vector<double> values = Numbers<uint16_t>(bytes);
  for (double& value : values) value = HalfToFloat(static_cast<uint16_t>(value));
  return values;
}

}  // namespace

std::string GrossDifference(linnet_dtype dtype, const Bytes& portable, const Bytes& twin,
                            const Bytes& other) {
  if (portable.size() != twin.size()) return "";
  if (portable.size() != other.size()) return "another size";
  const bool is_float =
      dtype == LINNET_FLOAT32 || dtype == LINNET_FLOAT16 || dtype == LINNET_FLOAT64;
  if (!is_float) return portable == twin && portable != other ? "other integers" : "";
  const std::vector<double> want = Floats(dtype, portable), near = Floats(dtype, twin),
                            got = Floats(dtype, other);
  double magnitude = kTiny;
  for (size_t i = 0; i < want.size(); ++i) {
    if (!std::isfinite(want[i]) || !std::isfinite(near[i])) return "";
    magnitude = std::max(magnitude, std::abs(want[i]));
  }
  if (magnitude > kHuge) return "";
  for (size_t i = 0; i < want.size(); ++i)
    if (std::abs(want[i] - near[i]) > kCalm * magnitude) return "";
  for (size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(want[i] - got[i]) <= kGross * magnitude))
      return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
             std::to_string(want[i]);
  return "";
}

}  // namespace linnet::fuzz
