// SPDX-License-Identifier: Apache-2.0
// What makes the files of this folder valid in C++ and in GLSL. A file here holds the push
// constants of one shader, a struct <Name>Push of uint, int and float members and arrays of these,
// and its specialisation constants by number.
#ifndef LINNET_VULKAN_ABI_GLSL_H_
#define LINNET_VULKAN_ABI_GLSL_H_
#ifdef __cplusplus
#include <cstdint>
namespace linnet::vulkan {
using uint = uint32_t;
}
#define LINNET_ABI_BEGIN namespace linnet::vulkan {
#define LINNET_ABI_END }
#else
#define LINNET_ABI_BEGIN
#define LINNET_ABI_END
#endif
#endif
