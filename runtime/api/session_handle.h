// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "runtime/api/plan_handle.h"
#include "runtime/session/interpreter.h"
#include "runtime/session/thread_pool.h"
#include "runtime/threads/background_thread.h"

// The struct behind the opaque handle of a session.
struct linnet_session {
  linnet_session(linnet_plan* of, void* block, int64_t bytes)
      : plan(of), in_block(true), region(block, bytes, of->allocator) {}
  explicit linnet_session(linnet_plan* of) : plan(of), region(of->allocator) {}

  linnet_plan* const plan;
  const bool in_block = false;
  linnet::Region region;
  linnet::ThreadPool pool;
  linnet_weights* weights = nullptr;
  bool shares_weights = false;  // with other sessions of the plan: released with this one
  linnet::Interpreter* interpreter = nullptr;  // in the region
  linnet_error last_error{};

  // Runs what is submitted. From a submit until a wait has seen the end of the run, only this
  // thread may use the interpreter.
  std::optional<linnet::BackgroundThread> thread;
  bool submitted = false;
  linnet::Status submitted_status;  // result of the submitted run

  const linnet::PlanProgram& program() const { return interpreter->program(); }
};

namespace linnet::api {

inline constexpr Status kSubmitted{
    StatusCode::kInvalidArgument,
    "a submitted run has not been waited for: call linnet_session_wait first"};

// Where a call explains its status; null when the session is NULL.
inline linnet_error* LastError(linnet_session* session) {
  return session == nullptr ? nullptr : &session->last_error;
}

}  // namespace linnet::api
