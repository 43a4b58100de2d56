// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/set_flag.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "fmt/format.h"
#include "runtime/tools/npy.h"

namespace linnet::cli {
namespace {

std::string ReadArray(const std::string& file, converter::Constant* constant) {
  tools::NpyArray array;
  if (std::string problem = tools::ReadNpy(file, &array); !problem.empty()) return problem;
  if (array.shape.size() > static_cast<size_t>(kMaxRank))
    return fmt::format("{} has {} dimensions, at most {} are possible", file, array.shape.size(),
                       kMaxRank);
  linnet_tensor_info info{};
  // Linnet computes in float32 where a model has float64.
  info.dtype = array.dtype == LINNET_FLOAT64 ? LINNET_FLOAT32 : array.dtype;
  info.rank = static_cast<int32_t>(array.shape.size());
  std::ranges::copy(array.shape, info.dims);
  void* data = nullptr;
  *constant =
      converter::Constant::Allocate({static_cast<DType>(info.dtype), Shape(array.shape)}, &data);
  return tools::CopyToTensor(array, info, data);
}

}  // namespace

std::string ParseSetFlag(const std::string& text, std::vector<converter::FixedTensor>* fixed) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    return fmt::format(
        "--set {}: write NAME=VALUE, for example training=false, size=256,512, or NAME=FILE.npy",
        text);
  const std::string value = text.substr(equals + 1);
  fixed->push_back({text.substr(0, equals), value});
  if (!value.ends_with(".npy")) return "";
  const std::string problem = ReadArray(value, &fixed->back().array.emplace());
  if (problem.empty()) return "";
  fixed->pop_back();
  return fmt::format("--set {}: {}", text, problem);
}

}  // namespace linnet::cli
