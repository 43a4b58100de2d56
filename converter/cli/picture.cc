// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/picture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "runtime/core/half.h"
#include "runtime/tools/element.h"
#include "runtime/tools/npy.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#define STB_IMAGE_RESIZE_STATIC
#include <stb/stb_image_resize.h>
#pragma GCC diagnostic pop

namespace linnet::cli {
namespace {

// How a picture lies in a tensor.
struct Layout {
  int height = 0, width = 0, channels = 0;
  bool channels_first = false;
};

bool IsChannels(int64_t extent) { return extent == 1 || extent == 3 || extent == 4; }

// Sets `layout`, or returns false if no picture has the tensor's shape.
bool LayoutOf(const linnet_tensor_info& info, Layout* layout) {
  if (info.rank < 3 || info.rank > 4 || (info.rank == 4 && info.dims[0] != 1)) return false;
  const int64_t* dims = info.dims + (info.rank - 3);
  if (std::ranges::any_of(dims, dims + 3, [](int64_t extent) { return extent > 16384; }))
    return false;
  const std::array<int, 3> extents = {static_cast<int>(dims[0]), static_cast<int>(dims[1]),
                                      static_cast<int>(dims[2])};
  if (IsChannels(extents[2]))
    *layout = {extents[0], extents[1], extents[2], false};
  else if (IsChannels(extents[0]))
    *layout = {extents[1], extents[2], extents[0], true};
  else
    return false;
  return layout->height > 0 && layout->width > 0;
}

void Store(linnet_dtype dtype, double value, int64_t i, void* to) {
  auto* bytes = static_cast<char*>(to);
  const auto write = [&](auto element) {
    std::memcpy(bytes + i * static_cast<int64_t>(sizeof(element)), &element, sizeof(element));
  };
  if (dtype == LINNET_FLOAT32)
    write(static_cast<float>(value));
  else if (dtype == LINNET_FLOAT16)
    write(FloatToHalf(static_cast<float>(value)));
  else if (dtype == LINNET_INT32)
    write(static_cast<int32_t>(value));
  else if (dtype == LINNET_INT64)
    write(static_cast<int64_t>(value));
  else
    write(static_cast<uint8_t>(value));
}

bool HoldsPictures(linnet_dtype dtype) {
  return dtype == LINNET_FLOAT32 || dtype == LINNET_FLOAT16 || dtype == LINNET_UINT8 ||
         dtype == LINNET_INT32 || dtype == LINNET_INT64;
}

}  // namespace

bool IsPictureName(const std::string& path) {
  std::string name = path;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::string_view, 4> kEnds = {".png", ".jpg", ".jpeg", ".bmp"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

std::string ReadPictureSize(const std::string& path, int* width, int* height) {
  int channels = 0;
  if (stbi_info(path.c_str(), width, height, &channels) != 0) return "";
  return fmt::format("{}: {}", path, stbi_failure_reason());
}

std::string ReadPicture(const std::string& path, const PictureRange& range,
                        const linnet_tensor_info& info, void* to, std::string* told) {
  const std::string type = tools::TypeText(info.dtype, info.dims, info.rank);
  Layout layout;
  if (!LayoutOf(info, &layout) || !HoldsPictures(info.dtype))
    return fmt::format("{} does not fit into {}; give a .npy file", path, type);
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<uint8_t, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &width, &height, &channels, layout.channels), stbi_image_free);
  if (pixels == nullptr) return fmt::format("{}: {}", path, stbi_failure_reason());
  std::vector<uint8_t> resized(static_cast<size_t>(layout.channels) * layout.height * layout.width);
  if (stbir_resize_uint8(pixels.get(), width, height, 0, resized.data(), layout.width,
                         layout.height, 0, layout.channels) == 0)
    return fmt::format("{}: not enough memory to resize it", path);
  const bool scales = tools::IsFloating(info.dtype);
  const double step = scales ? (range.high - range.low) / 255 : 1, low = scales ? range.low : 0;
  const int64_t plane = int64_t{layout.height} * layout.width;
  for (int64_t pixel = 0; pixel < plane; ++pixel)
    for (int c = 0; c < layout.channels; ++c) {
      const double value = low + step * resized[pixel * layout.channels + c];
      const int64_t at = layout.channels_first ? c * plane + pixel : pixel * layout.channels + c;
      Store(info.dtype, value, at, to);
    }
  *told = fmt::format("{}, {}x{}, as {}x{} pixels with values {:g}..{:g}", path, width, height,
                      layout.width, layout.height, low, low + step * 255);
  return "";
}

}  // namespace linnet::cli
