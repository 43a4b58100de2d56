// SPDX-License-Identifier: Apache-2.0
// A library without XNNPACK has one kernel for each step. It is built with this file in the place
// of linked_kernel_profile.cc.
#include "runtime/session/kernel_profile.h"

namespace linnet {

constinit const KernelProfileFunctions* const kLinkedKernelProfile = nullptr;

}  // namespace linnet
