// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifndef LINNET_NO_THREADS
#include <mutex>
#endif

namespace linnet {

// What guards data that several threads use. In builds without threads (LINNET_THREADS=OFF) there
// is nothing to guard, and the C++ library need not have std::mutex.
#ifdef LINNET_NO_THREADS
struct Mutex {};
class [[maybe_unused]] Lock {
 public:
  explicit Lock(Mutex&) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};
#else
using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
#endif

}  // namespace linnet
