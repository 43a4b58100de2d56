// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/noise.h"

#include "runtime/core/noise.h"

namespace linnet::tools {

void FillNoise(const linnet_tensor_info& info, uint64_t seed, uint64_t stream, void* to) {
  TensorType type{static_cast<DType>(info.dtype), {}};
  for (int32_t i = 0; i < info.rank; ++i) type.shape.Append(info.dims[i]);
  linnet::FillNoise(type, {}, seed, stream, to);
}

}  // namespace linnet::tools
