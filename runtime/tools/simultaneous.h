// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace linnet::tools {

// What one of several threads did.
struct ThreadWork {
  double done = 0.0;
  int64_t begin_ns = 0, end_ns = 0;  // of NowNs
};

// Calls work(0) to work(threads - 1) on threads of their own that begin together, and returns what
// they returned and when. Threads that the system does not start are left out.
std::vector<ThreadWork> RunTogether(int threads, const std::function<double(int)>& work);

}  // namespace linnet::tools
