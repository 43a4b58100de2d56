// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "runtime/core/sanitizers.h"

// Memory straight from the system, without a page fault for each 4 KiB of it, which are most of
// what a first run takes longer than the next: in huge pages where the system has them, and what is
// too little for one in small pages that are all taken at once.
namespace linnet {

// AddressSanitizer watches the ends of what malloc gives.
#if defined(__linux__) && !LINNET_ADDRESS_SANITIZER
inline constexpr bool kHasSystemPages = true;
#else
inline constexpr bool kHasSystemPages = false;
#endif
inline constexpr size_t kHugePageBytes = size_t{2} << 20;
// Less than this lies in small pages. Clearing a huge page takes as long as taking 130 (Zen 4) to
// 160 (Xeon of 2023, both virtual) small ones at once, but its rest is lost to others, and
// milliseconds go by where the system must first make room for it.
inline constexpr size_t kLeastHugeBytes = kHugePageBytes / 2;
// The C library, too, asks the system for pieces from here on.
inline constexpr size_t kLeastMappedBytes = size_t{128} << 10;

// Whether a piece of memory is worth it.
constexpr bool WantsPages(size_t bytes) { return kHasSystemPages && bytes >= kLeastMappedBytes; }

// Zeros, at a multiple of the system's page, from kLeastHugeBytes on of kHugePageBytes; null when
// out of memory. They may take 1 MB more of the machine's memory than is used of them. REQUIRES:
// WantsPages(bytes), here and below.
void* MapPages(size_t bytes);
// `bytes` is what MapPages was asked for.
void UnmapPages(void* memory, size_t bytes);

}  // namespace linnet
