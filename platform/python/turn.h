// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <mutex>

#include "platform/python/session.h"

namespace linnet::python {

// While it lives, the session is this thread's. Waits without the interpreter's lock, because the
// thread whose turn it is needs that to end its own.
class Session::Turn {
 public:
  explicit Turn(std::mutex& mutex) : lock_(mutex, std::try_to_lock) {
    if (lock_.owns_lock()) return;
    const nanobind::gil_scoped_release others_may_run;
    lock_.lock();
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace linnet::python
