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

}  // namespace linnet::converter
