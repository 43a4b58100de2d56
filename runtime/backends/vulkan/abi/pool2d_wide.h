// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_POOL2D_WIDE_H_
#define LINNET_VULKAN_ABI_POOL2D_WIDE_H_
#include "pool2d.h"  // the same, by workgroups
#endif
