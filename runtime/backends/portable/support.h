// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet::portable {

// nullptr when the portable kernels can run `op`, else a short reason. Depends on `op` only.
const char* WhyUnsupported(const OpInstance& op);

}  // namespace linnet::portable
