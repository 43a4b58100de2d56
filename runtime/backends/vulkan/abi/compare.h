// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_COMPARE_H_
#define LINNET_VULKAN_ABI_COMPARE_H_
#include "binary.h"  // the same with another dtype
#endif
