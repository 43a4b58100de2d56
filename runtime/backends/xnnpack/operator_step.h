// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/backends/xnnpack/slices.h"
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

Status ToStatus(xnn_status status);

// xnn::Create, but fails when XNNPACK reports success without having made an operator.
xnn_status CreateOperator(const xnn::Params& params, xnn::WeightsCache cache, xnn::Operator* op);

// Bytes that XNNPACK took from a heap other than ours for all steps that exist now, estimated.
int64_t ForeignHeapBytes();

// The number of parts into which it pays to cut `op` for this many threads. 1: the calling thread
// alone runs it.
int PartsWorth(const OpInstance& op, int threads);

// A step on XNNPACK. It is one operator when the caller lent a pool or there is little to do. On
// the session's own threads, which XNNPACK does not know, it is several operators, each a part of
// the work and run by one thread.
class OperatorStep final : public RunnableStep {
 public:
  // Makes at most `parts` operators when the threads are the session's own, else one. A failure
  // leaves nothing behind.
  static Status Create(const Lowering& lowering, const OpInstance& op, xnn::WeightsCache cache,
                       const Threads& threads, int parts, Region& region, RunnableStep** out,
                       int64_t* workspace_bytes);

  Status Setup(const StepBuffers& buffers) override;
  Status Run() override;
  void Destroy() override;

 private:
  struct Part {
    xnn::Operator op;
    xnn::Params params;
    xnn::Offsets offsets;
    int64_t workspace = 0;  // where this part's workspace begins in that of the step
  };

  OperatorStep(const Threads& threads, bool uses_threads, Region* region);
  Status CreateParts(const xnn::Params& whole, xnn::Cutting cutting, xnn::WeightsCache cache,
                     int64_t* workspace_bytes);
  xnn_status CreatePart(const xnn::Params& whole, xnn::Cutting cutting, xnn::WeightsCache cache,
                        int64_t* workspace_bytes);
  void DeleteParts();

  pthreadpool* const pool_;
  const Parallel parallel_;
  Region* const region_;
  Part* const parts_;  // in memory right after this object
  int num_parts_ = 0;
  int64_t heap_bytes_ = 0;
};

}  // namespace linnet::xnnpack
