// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_UNARY_SPECIAL_H_
#define LINNET_VULKAN_ABI_UNARY_SPECIAL_H_
#include "unary.h"  // the same for other kinds
#endif
