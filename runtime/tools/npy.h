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

// Reads a .npy file of version 1 to 3. Returns "" on success, else one sentence.
std::string ReadNpy(const std::string& path, NpyArray* array);

// Writes a .npy file through a FileWriter. Returns "" on success, else one sentence.
std::string WriteNpy(const std::string& path, const linnet_tensor_info& info, const void* data);

// Copies `array` to the tensor `to`. The shapes must be equal; u8 and i8 can be converted to i32,
// i64 and f32, f16 to f32, and f64 is rounded to f32. Returns "" on success, else one sentence.
std::string CopyToTensor(const NpyArray& array, const linnet_tensor_info& info, void* to);

// Whether that rounds.
bool IsRounded(const NpyArray& array, const linnet_tensor_info& info);

// "f32[1,224,224,3]"
std::string TypeText(linnet_dtype dtype, const int64_t* dims, int rank);

}  // namespace linnet::tools
