// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/region.h"

struct xnn_allocator;

// XNNPACK takes one allocator per process, from whoever calls xnn_initialize first. Ours sends each
// call to the region that the calling thread has made current, and to malloc while there is none:
// so other users of XNNPACK in the process get what they would have got without us. Blocks carry no
// header: what was allocated under a region is freed under it, what was allocated without, without.
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

// Bytes in use on the process's heap, or 0 where the C library does not tell. Differences estimate
// what XNNPACK takes when somebody else's allocator serves it; other threads add noise.
int64_t HeapBytesInUse();

}  // namespace linnet::xnnpack
