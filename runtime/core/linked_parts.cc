// SPDX-License-Identifier: Apache-2.0
// A whole library has every part. Nothing else may stand in this file: see
// runtime/ops/linked_ops.h.
#include "runtime/core/linked_parts.h"

#include "runtime/core/linked_weights.h"

namespace linnet {

const bool kLinkedThreads = true;
const bool kLinkedControls = true;
const bool kLinkedExtents = true;
const bool kLinkedDevices = true;
const bool kLinkedPanels = true;
const bool kLinkedStrips = true;
const bool kLinkedEncodedPanels = true;
const bool kLinkedPacking = true;
const bool kLinkedPlain = true;
const char kLinkedFor[] = "";

}  // namespace linnet
