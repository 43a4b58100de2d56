// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/set_flag.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "fmt/format.h"
#include "runtime/tools/npy.h"

namespace linnet::cli {
namespace {

// Linnet computes in float32 where a model has float64.
void RoundDoubles(tools::NpyArray* array) {
  if (array->dtype != LINNET_FLOAT64) return;
  const size_t count = array->data.size() / sizeof(double);
  std::vector<uint8_t> floats(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    double value;
    std::memcpy(&value, array->data.data() + i * sizeof(double), sizeof(double));
    const auto rounded = static_cast<float>(value);
    std::memcpy(floats.data() + i * sizeof(float), &rounded, sizeof(float));
  }
  array->dtype = LINNET_FLOAT32;
  array->data = std::move(floats);
}

std::string ReadArray(const std::string& file, converter::Constant* constant) {
  tools::NpyArray array;
  if (std::string problem = tools::ReadNpy(file, &array); !problem.empty()) return problem;
  if (array.shape.size() > static_cast<size_t>(kMaxRank))
    return fmt::format("{} has {} dimensions, at most {} are possible", file, array.shape.size(),
                       kMaxRank);
  RoundDoubles(&array);
  void* data = nullptr;
  *constant =
      converter::Constant::Allocate({static_cast<DType>(array.dtype), Shape(array.shape)}, &data);
  std::copy(array.data.begin(), array.data.end(), static_cast<uint8_t*>(data));
  return "";
}

}  // namespace

std::string ParseSetFlag(const std::string& text, std::vector<converter::FixedTensor>* fixed) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    return fmt::format(
        "--set {}: write NAME=VALUE, for example training=false, size=256,512, or NAME=FILE.npy",
        text);
  converter::FixedTensor one{text.substr(0, equals), text.substr(equals + 1)};
  if (one.text.ends_with(".npy"))
    if (std::string problem = ReadArray(one.text, &one.array.emplace()); !problem.empty())
      return fmt::format("--set {}: {}", text, problem);
  fixed->push_back(std::move(one));
  return "";
}

}  // namespace linnet::cli
