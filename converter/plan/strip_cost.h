// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/strips/strip_chain.h"

namespace linnet::converter {

// Estimates, in nanoseconds on one thread of a fast processor; tests/benchmarks/README.md has the
// measurements. Slower memory, as phones have it, makes strips better than these say.

// What it takes to write a tensor of so many bytes and to read it again in the next step, more than
// if it stayed in the processor's own cache.
double TimeOfMap(int64_t bytes);

// What it takes more to run a finished chain strip by strip, for one picture: to begin kernels
// anew, to move rows that are still needed, and to read weights again. `weight_bytes`: of all
// parts.
double TimeOfStrips(const StripChain& chain, int64_t weight_bytes);

// What it takes more, for one picture, when all threads work on each part of each strip together.
double TimeOfJobs(const StripChain& chain);

// The most rows of `all_rows` that one of `threads` threads makes when they have equally many
// strips of `rows` rows (FirstStripOf), over the rows of a fair share.
double LargestShare(int64_t all_rows, int64_t rows, int64_t threads);

// Of the heights up to `most`, but more than half of it, that of which two and four threads have
// the fairest shares; the largest of these. Up to `multiple` - 1 more when only multiples will do.
int64_t FairHeight(int64_t all_rows, int64_t most, int64_t multiple);

}  // namespace linnet::converter
