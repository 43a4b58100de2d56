// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "linnet/linnet.h"

namespace linnet::tools {

// Fills a tensor with noise that depends only on `seed`, `stream` (the input's index) and the
// element's index: floats uniform in [0,1), u8 0..255, other integers and bool 0 or 1.
void FillNoise(const linnet_tensor_info& info, uint64_t seed, uint64_t stream, void* to);

}  // namespace linnet::tools
