// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_ARG_REDUCE_INT_H_
#define LINNET_VULKAN_ABI_ARG_REDUCE_INT_H_
#include "arg_reduce.h"  // the same for integers
#endif
