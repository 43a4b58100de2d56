// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/strip_cost.h"

#include <algorithm>
#include <limits>

namespace linnet::converter {
namespace {

// Of a processor's own (second) cache.
constexpr double kCacheBytes = 1 << 20;
// Tensors from the first size on leave the cache; those of the second are all outside.
constexpr double kLeaves = 0.75 * kCacheBytes, kLeft = 4.75 * kCacheBytes;
constexpr double kNsPerMapByte = 1.0 / 20;
constexpr double kNsPerPart = 300;
// To hand over a part to another thread, and to fetch the rows that it has made.
constexpr double kNsPerJob = 1500;
constexpr double kNsPerMovedByte = 1.0 / 60;
constexpr double kNsPerWeightByte = 1.0 / 70;

// Rows that are still read when the next strip begins.
int64_t MovedBytes(const StripChain& chain) {
  int64_t bytes = 0;
  StripWalk walk(chain);
  walk.Start(0);
  for (int64_t strip = 0; strip < chain.strips(); ++strip) {
    walk.Next();
    for (int i = 0; i + 1 < static_cast<int>(chain.parts().size()); ++i)
      bytes +=
          (walk.Made(i).begin - walk.Kept(i)) * chain.parts()[static_cast<size_t>(i)].row_bytes;
  }
  return bytes;
}

}  // namespace

double TimeOfMap(int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size * kNsPerMapByte * std::clamp((size - kLeaves) / (kLeft - kLeaves), 0.0, 1.0);
}

double TimeOfStrips(const StripChain& chain, int64_t weight_bytes) {
  const auto strips = static_cast<double>(chain.strips());
  const auto rows = static_cast<double>(chain.memory_bytes());
  // Rows and weights want to stay in the cache together.
  const double beyond = std::max(rows + static_cast<double>(weight_bytes) - kCacheBytes / 2, 0.0);
  const double again = std::min(beyond, static_cast<double>(weight_bytes)) * (strips - 1);
  const double fresh_rows = std::max(rows - kCacheBytes / 2, 0.0) * strips;
  return strips * static_cast<double>(chain.parts().size()) * kNsPerPart +
         static_cast<double>(MovedBytes(chain)) * kNsPerMovedByte +
         (again + fresh_rows) * kNsPerWeightByte;
}

double TimeOfJobs(const StripChain& chain) {
  return static_cast<double>(chain.strips() * std::ssize(chain.parts())) * kNsPerJob;
}

double LargestShare(int64_t all_rows, int64_t rows, int64_t threads) {
  const int64_t strips = CeilDiv(all_rows, rows);
  int64_t most = 0;
  for (int64_t i = 0; i < threads; ++i) {
    const int64_t end = std::min(FirstStripOf(i + 1, threads, strips) * rows, all_rows);
    most = std::max(most, end - FirstStripOf(i, threads, strips) * rows);
  }
  return static_cast<double>(most * threads) / static_cast<double>(all_rows);
}

int64_t FairHeight(int64_t all_rows, int64_t most, int64_t multiple) {
  int64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t rows = CeilDiv(most, multiple) * multiple; rows > most / 2; rows -= multiple) {
    const double shares = 4 * LargestShare(all_rows, rows, 2) + LargestShare(all_rows, rows, 4);
    if (shares >= least) continue;
    least = shares;
    best = rows;
  }
  return best;
}

}  // namespace linnet::converter
