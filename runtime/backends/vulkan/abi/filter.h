// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_FILTER_H_
#define LINNET_VULKAN_ABI_FILTER_H_
// Output quads of a panel of a packed filter (runtime/backends/vulkan/filter.h).
#define LINNET_FILTER_PANEL 16
#endif
