// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "runtime/core/sanitizers.h"

// Memory straight from the system, in huge pages where it has them: each of these is one page fault
// instead of 512. Such faults are most of what a first run takes longer than the next.
namespace linnet {

// AddressSanitizer watches the ends of what malloc gives.
#if defined(__linux__) && !LINNET_ADDRESS_SANITIZER
inline constexpr bool kHasHugePages = true;
#else
inline constexpr bool kHasHugePages = false;
#endif
inline constexpr size_t kHugePageBytes = size_t{2} << 20;
// A page of which as much is used may be a huge one, though the rest of it stays empty: clearing it
// takes as long as 110 to 140 faults of 4 KiB (Zen 4, virtual).
inline constexpr size_t kLeastHugeBytes = kHugePageBytes / 4;

// Whether a piece of memory is worth it.
constexpr bool WantsHugePages(size_t bytes) { return kHasHugePages && bytes >= kLeastHugeBytes; }

// Zeros, at a multiple of kHugePageBytes; null when out of memory. They may take 1.5 MB more of the
// machine's memory than small pages would. REQUIRES: WantsHugePages(bytes), here and below.
void* MapHugePages(size_t bytes);
// `bytes` is what MapHugePages was asked for.
void UnmapHugePages(void* memory, size_t bytes);

}  // namespace linnet
