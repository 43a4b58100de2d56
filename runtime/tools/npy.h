// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "linnet/linnet.h"

namespace linnet::tools {

// A numpy array: little-endian, C order.
struct NpyArray {
  linnet_dtype dtype = LINNET_FLOAT32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
};

// Empty on success, else one sentence. Reads .npy versions 1 to 3.
std::string ReadNpy(const std::string& path, NpyArray* array);

// Writes through a temporary file and a rename, so a half-written file never carries the name.
std::string WriteNpy(const std::string& path, const linnet_tensor_info& info, const void* data);

// Puts `array` into a tensor: shapes must agree; u8/i8 widen to i32, i64, f32 and f16 to f32. Empty
// on success, else one sentence.
std::string CopyToTensor(const NpyArray& array, const linnet_tensor_info& info, void* to);

// "f32[1,224,224,3]"
std::string TypeText(linnet_dtype dtype, const int64_t* dims, int rank);

}  // namespace linnet::tools
