// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/strip_cost.h"

#include <algorithm>
#include <cstdlib>

namespace linnet::converter {
namespace {

// Of a processor's own (second) cache.
constexpr double kCacheBytes = 1 << 20;
// What a byte of a tensor costs that does not stay there: written, and read again by the next step.
constexpr double kNsPerByte = 1.0 / 20;
// Kernels that begin anew for each strip: pointers to rows, registers of weights.
constexpr double kNsPerPart = 400;
// Rows that are still read when the next strip begins are moved.
constexpr double kNsPerMovedByte = 1.0 / 60;

}  // namespace

int64_t MovedBytes(const StripChain& chain) {
  int64_t bytes = 0;
  StripWalk walk(chain);
  walk.Start(0);
  for (int64_t strip = 0; strip < chain.strips(); ++strip) {
    walk.Next();
    for (int i = 0; i + 1 < static_cast<int>(chain.parts().size()); ++i)
      bytes += (walk.Made(i).begin - walk.Kept(i)) * chain.parts()[static_cast<size_t>(i)].row_bytes;
  }
  return bytes;
}

double TimeSaved(const StripChain& chain, const StripTraffic& traffic) {
  if (const char* f = getenv("STRIPF")) {
    return chain.rows() == atoi(f) ? traffic.map_bytes * (chain.parts().size() <= (size_t)atoi(getenv("STRIPN")) ? 1.0 : -1.0) : -1;
  }

  const auto strips = static_cast<double>(chain.strips());
  const auto rows = static_cast<double>(chain.memory_bytes());
  // The part of the maps that would have left the cache before the next step read it.
  const double leaves = std::clamp(
      2 * static_cast<double>(traffic.largest_map) / kCacheBytes - 0.5, 0.0, 1.0);
  const double stays = std::clamp(2 - 2 * rows / kCacheBytes, 0.0, 1.0);
  const double saved = static_cast<double>(traffic.map_bytes) * 2 * kNsPerByte * leaves * stays;
  // Weights are read once per strip instead of once.
  const double kept_weights = kCacheBytes / 2 - rows;
  const double again = static_cast<double>(traffic.weight_bytes) > kept_weights
                           ? static_cast<double>(traffic.weight_bytes) * (strips - 1) * kNsPerByte / 2
                           : 0;
  const double parts = strips * static_cast<double>(chain.parts().size()) * kNsPerPart;
  return saved - again - parts - static_cast<double>(MovedBytes(chain)) * kNsPerMovedByte;
}

}  // namespace linnet::converter
