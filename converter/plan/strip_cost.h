// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/strips/strip_chain.h"

namespace linnet::converter {

// What is known of steps that may run in strips, besides their chain.
struct StripTraffic {
  int64_t map_bytes = 0;     // of one picture of all tensors between the parts, as wholes
  int64_t largest_map = 0;   // of one of them
  int64_t weight_bytes = 0;  // that all parts read
  int64_t macs = 0;          // of all parts, for one picture
};

// The nanoseconds that one run saves on one thread when the chain, finished, runs in strips instead
// of step by step on whole pictures; negative where it takes longer. An estimate from the sizes of
// the caches that most phones, boards and workstations have at least.
int64_t MovedBytes(const StripChain& chain);
double TimeSaved(const StripChain& chain, const StripTraffic& traffic);

}  // namespace linnet::converter
