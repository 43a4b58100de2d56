// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/diagnostic.h"
#include "runtime/session/device_cache.h"
#include "runtime/session/interpreter.h"

namespace linnet {

// Floats of a program for a device may differ from the host's by this part of the largest magnitude
// in the tensor. It follows from the precision in which the device keeps tensors.
double SelfTestTolerance(const PlanProgram& program);

// How often the device's program runs after its first run.
inline constexpr int kReplays = 3;

// Runs a program for a device, and the host's of the same signature, on the same noise. Their
// outputs and new states must agree: values that no rounding decides within the tolerance, integers
// exactly, and none may be NaN where the host's are not. Where rounding decides (exactness.h), the
// device may differ from the host in as many elements as the host differs from itself on inputs
// that are changed by the tolerance, twice; NaN and infinity are refused as elsewhere. What the
// device computes must be the same bits in each replay. Where floats differ by up to five times the
// tolerance, all is repeated on noise of larger numbers, and that decides.
//
// Both must be new sessions; `device` is left as a new session, `host` is not. Temporary memory
// comes from the allocator of `scratch`. Returns
//   kPassed
//   kFailed      the diagnostic says what differs
//   kLost        the device stopped working
//   kUntestable  the host cannot run the plan on noise, because a loop does not end or no index
//                that was tried is in range; or the device cannot, because rounding decides whether
//                an index is in range
//   kNone        out of memory
Verdict RunSelfTest(Interpreter& device, Interpreter& host, Region& scratch,
                    Diagnostic* diagnostic);

}  // namespace linnet
