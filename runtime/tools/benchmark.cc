// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/benchmark.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>

namespace linnet::tools {

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

std::string TimeRun(linnet_session* session, int64_t* ns) {
  const int64_t start = NowNs();
  if (linnet_session_run(session) != LINNET_OK) return linnet_session_last_error(session)->text;
  *ns = NowNs() - start;
  return "";
}

int64_t ResidentBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long long total = 0, resident = 0;
  const int read = std::fscanf(file, "%lld %lld", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * sysconf(_SC_PAGESIZE) : 0;
}

int64_t PeakResidentBytes() {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#if defined(__APPLE__)
  return usage.ru_maxrss;
#else
  return usage.ru_maxrss * 1024;
#endif
}

double Times::MeanMs() const {
  const double sum = std::accumulate(ns.begin(), ns.end(), 0.0);
  return ns.empty() ? 0 : sum / static_cast<double>(ns.size()) * 1e-6;
}

double Times::QuantileMs(double q) const {
  if (ns.empty()) return 0.0;
  std::vector<int64_t> sorted = ns;
  std::sort(sorted.begin(), sorted.end());
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  const auto index = static_cast<size_t>(std::max(rank - 1.0, 0.0));
  return static_cast<double>(sorted[std::min(index, sorted.size() - 1)]) * 1e-6;
}

}  // namespace linnet::tools
