// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "linnet/linnet.h"
#include "runtime/session/backend.h"

namespace linnet::api {

// The backends linked into this library that `choice` allows, preferred ones first. Empty for
// LINNET_BACKEND_VULKAN and unknown values.
std::span<const Backend* const> Backends(linnet_backend choice);

// Bytes that backends took from malloc although they were given regions; see
// linnet_memory.backend_heap.
int64_t BackendHeapBytes();

// The product name of this machine's CPU, "" when no backend knows it.
const char* CpuName();

}  // namespace linnet::api
