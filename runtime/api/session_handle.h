// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/api/plan_handle.h"
#include "runtime/session/interpreter.h"
#include "runtime/session/thread_pool.h"

// What the opaque handle of a session holds.
struct linnet_session {
  linnet_session(void* block, int64_t bytes) : region(block, bytes) {}
  linnet_session() = default;

  linnet::Region region;
  linnet::ThreadPool pool;
  linnet_weights* weights = nullptr;
  bool shares_weights = false;  // one of the plan's: released with the session
  bool in_block = false;
  linnet::Interpreter* interpreter = nullptr;  // in the region
  linnet_error last_error{};

  const linnet::PlanProgram& program() const { return interpreter->program(); }
};
