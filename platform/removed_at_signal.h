// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace linnet {

// While it lives, the file `path` (which must live longer) is removed when SIGINT, SIGTERM or
// SIGHUP ends the program. A program that ignores these signals, or handles them itself, keeps
// doing so. There is room for few at a time; a file that finds none is left behind by a signal.
class RemovedAtSignal {
 public:
  explicit RemovedAtSignal(const char* path);
  ~RemovedAtSignal();
  RemovedAtSignal(const RemovedAtSignal&) = delete;
  RemovedAtSignal& operator=(const RemovedAtSignal&) = delete;

  // Removes the files of all that live, before the program ends in another way. May be called
  // from a signal handler and where there is no memory left.
  static void RemoveAll();

 private:
  std::atomic<const char*>* slot_ = nullptr;
};

}  // namespace linnet
