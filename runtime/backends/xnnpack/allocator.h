// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/region.h"

struct xnn_allocator;

// XNNPACK uses one allocator per process, that of the first call of xnn_initialize. Ours forwards
// each call to the current region of the calling thread, or to malloc when there is none, so
// nothing changes for other users of XNNPACK in the process. Blocks have no header: memory must be
// freed with the same current region as it was allocated with.
namespace linnet::xnnpack {

const xnn_allocator* RegionAllocator();

// Makes `region` (null: malloc) the current one of this thread for its lifetime. Scopes nest.
class ScopedRegion {
 public:
  explicit ScopedRegion(Region* region);
  ~ScopedRegion();
  ScopedRegion(const ScopedRegion&) = delete;
  ScopedRegion& operator=(const ScopedRegion&) = delete;

 private:
  Region* outer_;
};

// Bytes in use on the process's heap; 0 when unknown. Differences estimate what XNNPACK takes when
// another library's allocator serves it; other threads add noise.
int64_t HeapBytesInUse();

}  // namespace linnet::xnnpack
