// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/xnnpack/support.h"
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

// f32 ops on XNNPACK's kernels: see README.md in this folder. One object, for the whole process.
const Backend& GetBackend();

// DeviceFeatures with what a look at the chosen kernels found (edge_probe.h). Starts XNNPACK.
const XnnpackFeatures& ProbedFeatures();

// True when XNNPACK allocates through us; false when somebody else in the process initialised it
// first. Asks for a successful Initialize().
bool AllocatesThroughUs();

}  // namespace linnet::xnnpack
