// SPDX-License-Identifier: Apache-2.0
#pragma once

// LINNET_DCHECK(condition): asserts an invariant of our own code in builds with LINNET_DCHECKS, and
// does nothing in others. Not for bad input, which must lead to a Status.
#if defined(LINNET_DCHECKS) && LINNET_DCHECKS
#define LINNET_DCHECK(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define LINNET_DCHECK(condition) ((void)sizeof(!(condition)))
#endif
