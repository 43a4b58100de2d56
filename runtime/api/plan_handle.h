// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>
#include <span>

#include "linnet/linnet.h"
#include "platform/file_bytes.h"
#include "runtime/session/prepared_weights.h"
#include "runtime/verify/verify_plan.h"

// What the opaque handles of linnet.h hold.

struct linnet_plan {
  explicit linnet_plan(const linnet::HostAllocator& memory) : allocator(memory), region(memory) {}

  const linnet::HostAllocator allocator;  // serves all that is made from the plan, too
  linnet::FileBytes file;                 // of linnet_plan_open_file
  void* copied = nullptr;                 // of linnet_plan_open_reader
  int64_t copied_bytes = 0;
  linnet::PlanFile bytes;
  linnet::Region region;  // structure, tables, decoded attributes
  linnet::VerifiedPlan verified;
  // By program: inputs, then outputs; in the region.
  std::span<const linnet_tensor_info>* ports = nullptr;
  std::mutex mutex;                          // guards shared_weights
  linnet_weights* shared_weights = nullptr;  // list, made on demand, dropped with the last session

  // Index of the program of signature `key` (null: the first), or -1.
  int FindProgram(const char* key) const;
};

struct linnet_weights {
  linnet_weights(linnet_plan* of, void* block, int64_t bytes)
      : plan(of), in_block(true), region(block, bytes, of->allocator), prepared(&region) {}
  explicit linnet_weights(linnet_plan* of) : plan(of), region(of->allocator), prepared(&region) {}

  linnet_plan* const plan;
  int program = 0;
  linnet_backend backend = LINNET_BACKEND_AUTO;
  const bool in_block = false;
  int users = 0;                   // sessions, when it is one of the plan's shared ones
  linnet_weights* next = nullptr;  // in the plan's list
  linnet::Region region;
  linnet::PreparedWeights prepared;
};

namespace linnet::api {

// Weights for `options` in memory of their own, or in options.block; see linnet_weights_prepare.
Status PrepareWeights(linnet_plan* plan, const linnet_session_options& options,
                      linnet_weights** weights, Diagnostic* diagnostic);
void DestroyWeights(linnet_weights* weights);

// The plan's shared weights for options.backend and program: packed by the first session that asks.
Status AcquireSharedWeights(linnet_plan* plan, const linnet_session_options& options,
                            linnet_weights** weights, Diagnostic* diagnostic);
void ReleaseSharedWeights(linnet_weights* weights);

// Holds a region without a block to options.max_bytes.
void LimitRegion(const linnet_session_options& options, Region* region);
// Says that it was options.max_bytes that made a call run out of memory, where it may have been.
void ExplainLimit(const linnet_session_options& options, const Status& status,
                  Diagnostic* diagnostic);

}  // namespace linnet::api
