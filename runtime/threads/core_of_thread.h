// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// What the scheduler does with the calling thread, where the system tells.
namespace linnet {

// Cores that this process may use; at least 1.
int AvailableCores();
// The core that runs the calling thread, or -1.
int CurrentCore();
// Moves the calling thread to another core, if it may use any.
void LeaveCore(int core);
// How often the calling thread lost its core to another one against its will; -1: unknown.
int64_t TimesTaken();

}  // namespace linnet
