// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_BINARY_INT_H_
#define LINNET_VULKAN_ABI_BINARY_INT_H_
#include "binary.h"  // the same for integers; constant 4: whether the result is a byte
#endif
