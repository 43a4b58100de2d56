// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/input_value.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "runtime/tools/current_shape.h"
#include "runtime/tools/noise.h"
#include "runtime/tools/npy.h"

namespace linnet::cli {
namespace {

constexpr char kHow[] =
    "write NAME=FILE.npy, NAME=PICTURE.png, NAME=PICTURE.png,-1..1, NAME=noise, or for a shape "
    "NAME=1x224x224x3";

bool ParseNumber(std::string_view text, double* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

// "-1..1"
bool ParseRange(std::string_view text, PictureRange* range) {
  const size_t dots = text.find("..");
  return dots != std::string_view::npos && ParseNumber(text.substr(0, dots), &range->low) &&
         ParseNumber(text.substr(dots + 2), &range->high) && range->low < range->high;
}

// Gives an input whose extents vary the picture's size, as far as its bounds allow.
std::string TakePictureSize(const std::string& path, linnet_session* session, int32_t index) {
  const linnet_tensor_info& largest = *linnet_session_input_info(session, index);
  if (largest.rank < 3 || largest.varies == 0) return "";
  int width = 0, height = 0;
  if (std::string problem = ReadPictureSize(path, &width, &height); !problem.empty())
    return problem;
  tools::NpyArray as_array{.dtype = largest.dtype};
  as_array.shape.assign(largest.dims, largest.dims + largest.rank);
  const int rows = largest.rank - (largest.dims[largest.rank - 1] > 4 ? 2 : 3);
  for (const auto& [dim, extent] : {std::pair(rows, height), std::pair(rows + 1, width)})
    if ((largest.varies >> dim & 1) != 0)
      as_array.shape[dim] = std::min<int64_t>(as_array.shape[dim], extent);
  return tools::TakeShape(session, index, as_array);
}

}  // namespace

absl::StatusOr<InputValue> ReadInputValue(const std::string& text) {
  InputValue value;
  const size_t equals = text.rfind('=');
  if (equals != std::string::npos) value.name = text.substr(0, equals);
  std::string source = equals == std::string::npos ? text : text.substr(equals + 1);
  const auto wrong = [&](std::string_view what) {
    return absl::InvalidArgumentError(fmt::format("--input {}: {}; {}", text, what, kHow));
  };
  if (equals == 0 || source.empty()) return wrong("something is missing");
  if (source == "noise") return value;
  if (const size_t comma = source.rfind(','); comma != std::string::npos) {
    if (!ParseRange(std::string_view(source).substr(comma + 1), &value.range))
      return wrong(fmt::format("'{}' is no range", source.substr(comma + 1)));
    source.resize(comma);
    if (!IsPictureName(source)) return wrong("only pictures have a range");
  }
  if (!source.ends_with(".npy") && !IsPictureName(source))
    return wrong(fmt::format("'{}' is neither a .npy file nor a picture (png, jpg, bmp)", source));
  value.file = source;
  if (IsPictureName(source)) return value;
  const std::string problem = tools::ReadNpy(source, &value.array.emplace());
  if (!problem.empty()) return absl::InvalidArgumentError(problem);
  return value;
}

std::string FeedInput(const InputValue& value, linnet_session* session, int32_t index,
                      std::string* told) {
  if (value.file.empty()) {
    tools::FillNoise(tools::InputNow(session, index), /*seed=*/0, static_cast<uint64_t>(index),
                     linnet_session_input_data(session, index));
    *told = "noise (seed 0)";
    return "";
  }
  if (value.array) {
    const bool rounded = tools::IsRounded(*value.array, *linnet_session_input_info(session, index));
    *told = value.file + (rounded ? ", float64 rounded to float32" : "");
    return tools::FeedArray(*value.array, session, index);
  }
  if (std::string problem = TakePictureSize(value.file, session, index); !problem.empty())
    return problem;
  return ReadPicture(value.file, value.range, tools::InputNow(session, index),
                     linnet_session_input_data(session, index), told);
}

}  // namespace linnet::cli
