// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_INT_TO_FLOAT_H_
#define LINNET_VULKAN_ABI_INT_TO_FLOAT_H_
#include "unary.h"  // the same with another dtype and one kind
#endif
