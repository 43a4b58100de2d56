// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_RESIZE_NEAREST_H_
#define LINNET_VULKAN_ABI_RESIZE_NEAREST_H_
#include "resize_bilinear.h"  // the same for elements of any type
#endif
