// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/core_of_thread.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace linnet {

int AvailableCores() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
#endif
  return static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

// Android moves threads between its clusters by rules of its own.
#if defined(__linux__) && !defined(__ANDROID__)

int CurrentCore() { return sched_getcpu(); }

void LeaveCore(int core) {
  cpu_set_t allowed;
  if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
    return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<size_t>(core), &others);
  if (CPU_COUNT(&others) == 0) return;
  if (sched_setaffinity(0, sizeof(others), &others) == 0)
    sched_setaffinity(0, sizeof(allowed), &allowed);
}

#else

int CurrentCore() { return -1; }
void LeaveCore(int) {}

#endif

int64_t TimesTaken() {
#if defined(__linux__)
  rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) == 0) return usage.ru_nivcsw;
#endif
  return -1;
}

}  // namespace linnet
