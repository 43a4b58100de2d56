// SPDX-License-Identifier: Apache-2.0
#pragma once

// LINNET_DCHECK(condition): a promise of our own code, checked in debug builds and gone in release.
// Never for bad input: that earns a Status.
#if defined(LINNET_DCHECKS) && LINNET_DCHECKS
#define LINNET_DCHECK(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define LINNET_DCHECK(condition) ((void)sizeof(!(condition)))
#endif
