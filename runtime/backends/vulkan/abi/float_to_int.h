// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_FLOAT_TO_INT_H_
#define LINNET_VULKAN_ABI_FLOAT_TO_INT_H_
#include "unary.h"  // the same with another dtype
#endif
