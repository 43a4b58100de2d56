// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/api/plan_handle.h"

namespace linnet::api {

// Fills in plan->num_host_programs and plan->ports of a verified plan, once for all sessions.
// kNoMemory.
Status DescribePorts(linnet_plan* plan);

}  // namespace linnet::api
