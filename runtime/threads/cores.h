// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Cores that this process may use; at least 1.
int AvailableCores();

// How often the system took the core from the calling thread (involuntary context switches); -1
// when unknown.
int64_t TimesTaken();

}  // namespace linnet
