// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Begins to count forks; false when out of memory. May be called any number of times, from any
// thread.
bool WatchForks();

// The number of forks between the process that first called WatchForks and this one. The threads of
// an object that was made at another count do not exist here, because fork copies only the calling
// thread.
uint32_t ForkCount();

}  // namespace linnet
