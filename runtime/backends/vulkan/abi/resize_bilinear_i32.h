// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_RESIZE_BILINEAR_I32_H_
#define LINNET_VULKAN_ABI_RESIZE_BILINEAR_I32_H_
#include "resize_bilinear.h"  // the same for integers
#endif
