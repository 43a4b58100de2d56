// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"

namespace linnet::portable {

// Runs every op with the kernels of runtime/kernels, on any CPU.
const Backend& GetBackend();

}  // namespace linnet::portable
