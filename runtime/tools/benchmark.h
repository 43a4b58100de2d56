// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "linnet/linnet.h"

namespace linnet::tools {

// A measurement is the median of kMaxBenchRuns runs, or of fewer when kMaxBenchNs are over before,
// after kWarmupRuns that do not count.
inline constexpr int kWarmupRuns = 3;
inline constexpr int kMaxBenchRuns = 200;
inline constexpr int64_t kMaxBenchNs = 1'000'000'000;

int64_t NowNs();

// Runs the session once. Returns "", and in *ns how long that took, or why the run failed. The
// inputs have to be written before, because copying them does not count.
std::string TimeRun(linnet_session* session, int64_t* ns);

// Bytes of resident memory of this process, now and at most so far. 0 when unknown.
int64_t ResidentBytes();
int64_t PeakResidentBytes();

// Times of repeated runs in nanoseconds.
struct Times {
  std::vector<int64_t> ns;

  double MinMs() const { return QuantileMs(0.0); }
  double MedianMs() const { return QuantileMs(0.5); }
  double MeanMs() const;
  // Nearest-rank quantile, q in [0, 1]; 0 without runs.
  double QuantileMs(double q) const;
};

}  // namespace linnet::tools
