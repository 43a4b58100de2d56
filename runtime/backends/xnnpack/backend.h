// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

// f32 ops on XNNPACK's kernels: see README.md in this folder. One object for the whole process.
const Backend& GetBackend();

// True when XNNPACK uses our allocator, false when another library in the process initialised it
// first. REQUIRES: a successful Initialize().
bool AllocatesThroughUs();

}  // namespace linnet::xnnpack
