// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet::vulkan {

// Who made a GPU, as far as that decides which shader is fast or how long one may take.
enum class DeviceClass : uint8_t {
  kOther,
  kAdreno,
  kMali,
  kPowerVr,
  kAmd,  // Samsung's Xclipse too
  kNvidia,
  kIntel,
  kApple,
  kCpu,  // a software driver
};

}  // namespace linnet::vulkan
