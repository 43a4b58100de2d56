// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/session/backend.h"

namespace linnet::xnnpack {

Status ToStatus(xnn_status status);

// lowering.create, and an error where XNNPACK leaves none.
xnn_status CreateOperator(const Lowering& lowering, const Params& params, xnn::WeightsCache cache,
                          xnn::Operator* op);

// What all steps alive made XNNPACK take from a heap that is not ours.
int64_t ForeignHeapBytes();

// In how many parts an op is worth cutting for so many threads; 1: let the caller run it.
int PartsWorth(const OpInstance& op, int threads);

// A step on XNNPACK. On a pool that was lent, and where there is little to do, one operator. On our
// own threads, which XNNPACK does not know, several, each with a part of the work and run by one
// thread.
class OperatorStep final : public RunnableStep {
 public:
  // Where the threads are ours, at most `parts` operators. What fails leaves nothing behind.
  static Status Create(const Lowering& lowering, const OpInstance& op, xnn::WeightsCache cache,
                       const Threads& threads, int parts, Region& region, RunnableStep** out,
                       int64_t* workspace_bytes);

  Status Setup(const StepBuffers& buffers) override;
  Status Run() override;
  void Destroy() override;

 private:
  struct Part {
    xnn::Operator op;
    Params params;
    xnn::Offsets offsets;
    int64_t workspace = 0;  // where its own begins
  };

  OperatorStep(const Lowering& lowering, const Threads& threads, bool uses_threads, Region* region);
  Status CreateParts(const Params& whole, xnn::Cutting cutting, xnn::WeightsCache cache,
                     int64_t* workspace_bytes);
  xnn_status CreatePart(const Params& whole, xnn::Cutting cutting, xnn::WeightsCache cache,
                        int64_t* workspace_bytes);
  void DeleteParts();

  const Lowering& lowering_;
  pthreadpool* const pool_;
  const Parallel parallel_;
  Region* const region_;
  Part* const parts_;  // behind this object
  int num_parts_ = 0;
  int64_t heap_bytes_ = 0;
};

}  // namespace linnet::xnnpack
