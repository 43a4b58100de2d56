// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <xnnpack.h>

#include "runtime/backends/xnnpack/support.h"

namespace linnet::xnnpack {

// XNNPACK chooses its kernels for the CPU, and some of them are wrong: the sigmoid of 2022-02 for
// AVX-512 gives NaN at +-1e30. So this runs the chosen kernels once with values at the edges of
// their domain, and notes in `features` which ones are wrong: portable kernels then replace them.
// REQUIRES: XNNPACK is initialised. Allocates through the current region.
xnn_status ProbeEdges(XnnpackFeatures* features);

}  // namespace linnet::xnnpack
