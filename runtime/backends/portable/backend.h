// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"

namespace linnet::portable {

// Runs every op with the kernels of runtime/kernels, on any CPU.
const Backend& GetBackend();

// The same, but packs no weights, as GetBackend in programs without that part (linked_parts.h).
const Backend& GetPlainBackend();

}  // namespace linnet::portable
