// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "schema/plan_generated.h"

namespace linnet::converter {

// The names of the TensorFlow nodes that steps came from are a large part of a plan's structure. In
// a file, the steps of a program of another variant than the host's refer to the steps of the
// host's program that came from the same nodes (Step.named_after).

// Lets steps refer, where they can, and takes their own sources away.
void ShareNames(schema::PlanT* plan);
// The inverse. References to what does not exist are dropped.
void RepeatNames(schema::PlanT* plan);

}  // namespace linnet::converter
