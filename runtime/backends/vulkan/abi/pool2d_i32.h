// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_POOL2D_I32_H_
#define LINNET_VULKAN_ABI_POOL2D_I32_H_
#include "pool2d.h"  // the same for integers, without constant 1
#endif
