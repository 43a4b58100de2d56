// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <xnnpack.h>

#include "runtime/backends/xnnpack/support.h"

namespace linnet::xnnpack {

// XNNPACK chooses its kernels by the CPU, and some are wrong where others are right: its sigmoid
// of 2022-02 for AVX-512 gives NaN at +-1e30. So the kernels that it chose are asked for values at
// the edges of their domain, once, and what answers wrongly is noted in `features`: the portable
// kernels run it. Asks for an initialised XNNPACK; allocates through the current region.
xnn_status ProbeEdges(XnnpackFeatures* features);

}  // namespace linnet::xnnpack
