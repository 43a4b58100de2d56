// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Begins to count forks; false when there is no memory for that. Any number of times, any thread.
bool WatchForks();

// How many forks lie between the process that called WatchForks first and this one. Threads of an
// object made under another count do not exist here: fork copies the calling thread alone.
uint32_t ForkCount();

}  // namespace linnet
