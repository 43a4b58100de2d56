// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_MATMUL_I32_H_
#define LINNET_VULKAN_ABI_MATMUL_I32_H_
#include "matmul.h"  // the same for integers, without a bias
#endif
