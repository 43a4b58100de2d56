// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Cores that this process may use; at least 1.
int AvailableCores();

// How often the calling thread lost its core to another one against its will; -1: the system does
// not tell.
int64_t TimesTaken();

}  // namespace linnet
