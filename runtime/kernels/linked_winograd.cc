// SPDX-License-Identifier: Apache-2.0
// A whole library has the method. Nothing else may stand in this file: see
// runtime/ops/linked_ops.h.
#include "runtime/kernels/winograd_conv2d.h"

namespace linnet::kernels {

constinit const WinogradFunctions* const kLinkedWinograd = &kWinogradFunctions;

}  // namespace linnet::kernels
