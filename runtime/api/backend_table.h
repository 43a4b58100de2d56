// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "linnet/linnet.h"
#include "runtime/session/device_backend.h"

namespace linnet::api {

// The backends that this program contains, preferred ones first; the last one is the portable one.
// Like the table of ops, a program may have its own (runtime/ops/linked_ops.h).
extern const Backend& (*const kLinkedBackends[])();
extern const int kNumLinkedBackends;

std::span<const Backend* const> AllBackends();
// Those that run steps in the host's memory; for LINNET_BACKEND_PORTABLE, only that one, and for
// LINNET_BACKEND_PLAIN its form that packs no weights.
std::span<const Backend* const> HostBackends(linnet_backend choice);
// The backend of a device, by the device's name in plans; null when there is none.
const DeviceBackend* FindDevice(const char* device);

// Bytes that backends took from malloc although they were given regions; see
// linnet_memory.backend_heap.
int64_t BackendHeapBytes();

// The product name of this machine's CPU, "" when no backend knows it.
const char* CpuName();

}  // namespace linnet::api
