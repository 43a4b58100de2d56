// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "linnet/linnet.h"

namespace linnet::cli {

// Which numbers a picture's darkest and brightest values become.
struct PictureRange {
  double low = 0, high = 1;
};

// Whether the file's name ends as pictures' do that ReadPicture reads: .png, .jpg, .jpeg, .bmp.
bool IsPictureName(const std::string& path);

// How large a picture is; "" or what is wrong with the file.
std::string ReadPictureSize(const std::string& path, int* width, int* height);

// Reads a picture in the size, the channels (1, 3 or 4) and the type of an input whose last
// dimensions are height, width and channels, or channels, height and width; there is one picture.
// f32 and f16 get values of `range`, integers those of the file, 0..255. `told` says in one line
// what was done. Returns "", or what does not fit.
std::string ReadPicture(const std::string& path, const PictureRange& range,
                        const linnet_tensor_info& info, void* to, std::string* told);

}  // namespace linnet::cli
