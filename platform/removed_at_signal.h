// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace linnet {

// During its lifetime, the file `path` is removed when SIGINT, SIGTERM or SIGHUP ends the program.
// A program that ignores these signals, or handles them itself, keeps doing so. The string must
// outlive this object. At most eight objects work at a time; further ones do nothing.
class RemovedAtSignal {
 public:
  explicit RemovedAtSignal(const char* path);
  ~RemovedAtSignal();
  RemovedAtSignal(const RemovedAtSignal&) = delete;
  RemovedAtSignal& operator=(const RemovedAtSignal&) = delete;

  // Removes the files of all existing objects, for a program that ends in another way. May be
  // called from a signal handler, and when out of memory.
  static void RemoveAll();

 private:
  std::atomic<const char*>* slot_ = nullptr;
};

}  // namespace linnet
