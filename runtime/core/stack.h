// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// How many elements code keeps on the stack at a time: enough for loops over them to be worth it. A
// microcontroller's stack has a few KiB.
#if LINNET_FREESTANDING
inline constexpr int64_t kStackElements = 64;
#else
inline constexpr int64_t kStackElements = 512;
#endif

}  // namespace linnet
