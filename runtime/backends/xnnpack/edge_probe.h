// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet::xnnpack {

// XNNPACK chooses its kernels for the CPU, and some of them are wrong: the sigmoid of 2022-02 for
// AVX-512 gives NaN at +-1e30. So the first step of a process that would use a kernel runs it once
// with values at the edges of its domain. True when the kernel for `op` was wrong there, or could
// not run: a portable one then replaces it. REQUIRES: XNNPACK is initialised, and has the op.
bool IsWrongAtEdges(const OpInstance& op);

}  // namespace linnet::xnnpack
