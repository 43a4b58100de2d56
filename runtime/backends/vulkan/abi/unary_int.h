// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_UNARY_INT_H_
#define LINNET_VULKAN_ABI_UNARY_INT_H_
#include "unary.h"  // the same for integers; constant 2: whether the result is a byte
#endif
