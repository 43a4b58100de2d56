// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/xnnpack/support.h"
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

// f32 ops on XNNPACK's kernels: see README.md in this folder. One object for the whole process.
const Backend& GetBackend();

// DeviceFeatures with the results of ProbeEdges (edge_probe.h). Initializes XNNPACK.
const XnnpackFeatures& ProbedFeatures();

// True when XNNPACK uses our allocator, false when another library in the process initialised it
// first. REQUIRES: a successful Initialize().
bool AllocatesThroughUs();

}  // namespace linnet::xnnpack
