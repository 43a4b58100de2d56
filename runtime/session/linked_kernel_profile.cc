// SPDX-License-Identifier: Apache-2.0
// A library with XNNPACK has a choice of kernels. Nothing else may stand in this file: see
// runtime/ops/linked_ops.h.
#include "runtime/session/kernel_profile.h"

namespace linnet {

constinit const KernelProfileFunctions* const kLinkedKernelProfile = &kKernelProfileFunctions;

}  // namespace linnet
