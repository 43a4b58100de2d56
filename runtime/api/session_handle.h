// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <optional>

#include "runtime/api/plan_handle.h"
#include "runtime/session/interpreter.h"
#include "runtime/session/thread_pool.h"
#include "runtime/threads/background_thread.h"

// The struct behind the opaque handle of a session.
struct linnet_session {
  linnet_session(linnet_plan* of, const linnet::api::BlockLayout& layout)
      : plan(of),
        in_block(layout.rest != nullptr),
        region(layout.rest, layout.rest_bytes, of->allocator) {}

  linnet_plan* const plan;
  const bool in_block;
  linnet::Region region;
  linnet::ThreadPool pool;
  linnet_weights* weights = nullptr;
  bool shares_weights = false;           // with other sessions of the plan: released with this one
  linnet::Interpreter* first = nullptr;  // in the region
  linnet_error last_error{};
  linnet::api::WhyNotGpu why_not_gpu;  // not written while others may read it, see CurrentBackend
  void (*log)(void* context, linnet_log_level level, const char* text) = nullptr;
  void* log_context = nullptr;
  size_t max_bytes = 0;  // as in linnet_session_options
  void (*store_cache)(void* context, const void* data, size_t bytes) = nullptr;
  void* store_context = nullptr;
  linnet_self_test self_test = LINNET_SELF_TEST_NONE;
  const char* why_cache_refused = nullptr;  // a literal

  // Once the device of `first` is lost: the host's program, which goes on in its place, with shared
  // weights. `first` stays, because callers know the addresses of its inputs and outputs.
  std::optional<linnet::Region> host_region;
  linnet_weights* host_weights = nullptr;
  std::atomic<linnet::Interpreter*> host = nullptr;  // in host_region

  // Runs what is submitted. From a submit until a wait has seen the end of the run, only this
  // thread may use the interpreters.
  std::optional<linnet::BackgroundThread> thread;
  bool submitted = false;
  linnet::Status submitted_status;  // result of the submitted run

  // What runs. It may change during a submitted run; what other threads may call then works with
  // the old and the new one.
  linnet::Interpreter* current() const {
    linnet::Interpreter* const instead = host.load(std::memory_order_acquire);
    return instead == nullptr ? first : instead;
  }
  const linnet_weights& current_weights() const {
    return host.load(std::memory_order_acquire) == nullptr ? *weights : *host_weights;
  }
  const linnet::PlanProgram& program() const { return current()->program(); }
};

namespace linnet::api {

inline constexpr Status kSubmitted{
    StatusCode::kInvalidArgument,
    "a submitted run has not been waited for: call linnet_session_wait first"};

// Where a call explains its status; null when the session is NULL.
inline linnet_error* LastError(linnet_session* session) {
  return session == nullptr ? nullptr : &session->last_error;
}

// Runs the session once. When the device is lost, the host's program takes over and finishes the
// same run; kDeviceLost only where it cannot.
Status Run(linnet_session* session);

// Tells the caller's log, if there is one.
void Log(const linnet_session& session, linnet_log_level level, const char* text);

}  // namespace linnet::api
