// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "linnet/linnet.h"

namespace linnet {

// A valid small file may describe large tensors and long loops over them, which only cost time.
inline constexpr size_t kMaxFuzzBytes = size_t{32} << 20;
inline constexpr int64_t kMaxFuzzMacs = int64_t{1} << 24;
// Pooling, sorting and similar ops take up to inputs x outputs steps.
inline constexpr int64_t kMaxFuzzStepBytes = int64_t{1} << 17;

inline bool IsCheap(const linnet_session* session) {
  int64_t macs = 0, bytes = 0;
  for (int32_t i = 0; i < linnet_session_num_steps(session); ++i) {
    linnet_step_info step{};
    step.struct_size = sizeof(step);
    if (!linnet_session_get_step_info(session, i, &step)) return false;
    if (step.macs > kMaxFuzzMacs || step.bytes > kMaxFuzzStepBytes) return false;
    macs += step.macs;
    bytes += step.bytes;
    if (macs > kMaxFuzzMacs || bytes > kMaxFuzzStepBytes) return false;
  }
  return true;
}

inline bool HasLoop(const linnet_session* session) {
  linnet_step_info step{};
  step.struct_size = sizeof(step);
  for (int32_t i = 0; linnet_session_get_step_info(session, i, &step) != 0; ++i)
    if (std::string_view(step.op) == "While") return true;
  return false;
}

// Cancels a run that takes too long: a loop may be endless.
class Watchdog {
 public:
  explicit Watchdog(linnet_session* session)
      : thread_([this, session] {
          std::unique_lock lock(mutex_);
          if (!done_.wait_for(lock, std::chrono::milliseconds(20), [this] { return is_done_; }))
            linnet_session_cancel(session);
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    done_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::thread thread_;
};

// Creates a session of an opened plan, and runs it if that is quick. Returns the last status; it is
// never LINNET_INTERNAL, which would be a bug of Linnet.
inline linnet_status RunIfCheap(linnet_plan* plan, linnet_backend backend) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  options.max_bytes = kMaxFuzzBytes;
  linnet_session* session = nullptr;
  linnet_error error;
  const linnet_status created = linnet_session_create(plan, &options, &session, &error);
  if (created == LINNET_INTERNAL) __builtin_trap();
  if (created != LINNET_OK) return created;
  linnet_status ran = LINNET_OK;
  if (IsCheap(session)) {
    for (int32_t i = 0; i < linnet_session_num_inputs(session); ++i)
      std::memset(linnet_session_input_data(session, i), 0x3f,
                  static_cast<size_t>(linnet_session_input_info(session, i)->bytes));
    if (HasLoop(session)) {
      const Watchdog watchdog(session);
      ran = linnet_session_run(session);
    } else {
      ran = linnet_session_run(session);
    }
  }
  if (ran == LINNET_INTERNAL) __builtin_trap();
  linnet_session_destroy(session);
  return ran;
}

}  // namespace linnet
