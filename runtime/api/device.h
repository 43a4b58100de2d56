// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/status.h"

namespace linnet::api {

// Whether it is the id of the GPU, on a machine that has one.
bool IsGpu(const char* id);

// Ok when `id` is null or the id of a linnet_device; else kUnsupported.
Status CheckDevice(const char* id);

}  // namespace linnet::api
