// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "linnet/linnet.h"

namespace linnet::tools {

// Element `i` of a tensor as a number; integers of 64 bits lose what a double does not hold.
double ElementAt(linnet_dtype dtype, const void* data, int64_t i);

bool IsFloating(linnet_dtype dtype);

// The elements of the shape in `info`.
int64_t NumElements(const linnet_tensor_info& info);

}  // namespace linnet::tools
