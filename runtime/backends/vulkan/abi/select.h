// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_SELECT_H_
#define LINNET_VULKAN_ABI_SELECT_H_
#include "binary.h"  // the same for three inputs and one kind
#endif
