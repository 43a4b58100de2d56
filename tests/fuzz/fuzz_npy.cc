// SPDX-License-Identifier: Apache-2.0
// A .npy file: an array that is read must fit tensors of its shape, and be the same when written
// and read again.
#include <cstdint>
#include <cstring>

#include "runtime/core/dtype.h"
#include "runtime/tools/npy.h"
#include "tests/scratch_folder.h"

namespace {

using linnet::tools::NpyArray;

linnet_tensor_info InfoOf(const NpyArray& array, linnet_dtype dtype) {
  linnet_tensor_info info{};
  info.dtype = dtype;
  info.rank = static_cast<int32_t>(array.shape.size());
  info.bytes = linnet::DTypeBytes(static_cast<linnet::DType>(dtype));
  for (size_t d = 0; d < array.shape.size(); ++d) {
    info.dims[d] = array.shape[d];
    info.bytes *= array.shape[d];
  }
  return info;
}

void CheckCopies(const NpyArray& array) {
  for (int dtype = LINNET_FLOAT32; dtype <= LINNET_FLOAT64; ++dtype) {
    const linnet_tensor_info info = InfoOf(array, static_cast<linnet_dtype>(dtype));
    std::vector<uint8_t> tensor(static_cast<size_t>(info.bytes));
    const std::string problem = CopyToTensor(array, info, tensor.data());
    if (dtype == array.dtype && (!problem.empty() || tensor != array.data)) __builtin_trap();
  }
}

void CheckWritten(const NpyArray& array, const std::string& path) {
  if (!linnet::tools::WriteNpy(path, InfoOf(array, array.dtype), array.data.data()).empty())
    __builtin_trap();
  NpyArray again;
  if (!ReadNpy(path, &again).empty() || again.shape != array.shape || again.data != array.data)
    __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const linnet::ScratchFolder folder;
  const std::string path =
      linnet::WriteAll(folder / "array.npy", {reinterpret_cast<const char*>(data), size});
  NpyArray array;
  if (!linnet::tools::ReadNpy(path, &array).empty()) return 0;
  linnet::tools::TypeText(array.dtype, array.shape.data(), static_cast<int>(array.shape.size()));
  if (array.shape.size() > LINNET_MAX_RANK) return 0;
  // In an array without elements the other extents may be any number.
  if (array.data.empty()) return 0;
  CheckCopies(array);
  CheckWritten(array, path);
  return 0;
}
