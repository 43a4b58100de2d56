// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/element.h"

#include "runtime/core/half.h"
#include "runtime/core/unaligned.h"

namespace linnet::tools {

double ElementAt(linnet_dtype dtype, const void* data, int64_t i) {
  switch (dtype) {
    case LINNET_FLOAT32:
      return LoadElement<float>(data, i);
    case LINNET_FLOAT64:
      return LoadElement<double>(data, i);
    case LINNET_FLOAT16:
      return HalfToFloat(LoadElement<uint16_t>(data, i));
    case LINNET_INT32:
      return LoadElement<int32_t>(data, i);
    case LINNET_INT64:
      return static_cast<double>(LoadElement<int64_t>(data, i));
    case LINNET_INT16:
      return LoadElement<int16_t>(data, i);
    case LINNET_UINT16:
      return LoadElement<uint16_t>(data, i);
    case LINNET_INT8:
      return LoadElement<int8_t>(data, i);
    default:
      return LoadElement<uint8_t>(data, i);
  }
}

bool IsFloating(linnet_dtype dtype) {
  return dtype == LINNET_FLOAT32 || dtype == LINNET_FLOAT16 || dtype == LINNET_FLOAT64;
}

int64_t NumElements(const linnet_tensor_info& info) {
  int64_t count = 1;
  for (int32_t i = 0; i < info.rank; ++i) count *= info.dims[i];
  return count;
}

}  // namespace linnet::tools
