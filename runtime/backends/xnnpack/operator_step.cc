// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/operator_step.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>

#include "runtime/backends/xnnpack/allocator.h"
#include "runtime/backends/xnnpack/backend.h"
#include "runtime/core/checked.h"

namespace linnet::xnnpack {
namespace {

std::atomic<ptrdiff_t> foreign_heap_bytes = 0;

// Estimates the bytes that XNNPACK takes from a heap other than ours during the meter's lifetime.
class HeapMeter {
 public:
  HeapMeter() : before_(AllocatesThroughUs() ? -1 : HeapBytesInUse()) {}
  int64_t Stop() const {
    if (before_ < 0) return 0;
    const int64_t taken = HeapBytesInUse() - before_;
    if (taken <= 0) return 0;
    foreign_heap_bytes.fetch_add(static_cast<ptrdiff_t>(taken), std::memory_order_relaxed);
    return taken;
  }

 private:
  int64_t before_;
};

}  // namespace

Status ToStatus(xnn_status status) {
  switch (status) {
    case xnn_status_success:
      return {};
    case xnn_status_out_of_memory:
      return {StatusCode::kNoMemory, "XNNPACK operator: out of memory"};
    case xnn_status_unsupported_parameter:
    case xnn_status_unsupported_hardware:
      return {StatusCode::kUnsupported, "XNNPACK does not support these parameters"};
    default:
      return {StatusCode::kInternal, "XNNPACK refused an operator"};
  }
}

// 2024-11 reports success without an operator when there is no memory for the row of zeros that
// padding needs.
xnn_status CreateOperator(const xnn::Params& params, xnn::WeightsCache cache, xnn::Operator* op) {
  const xnn_status status = xnn::Create(params, cache, op);
  const bool vanished = status == xnn_status_success && op->op == nullptr;
  return vanished ? xnn_status_out_of_memory : status;
}

// Handing work to threads and waiting for them takes about a microsecond, so small parts do not
// pay.
int PartsWorth(const OpInstance& op, int threads) {
  constexpr int64_t kFlops = 1 << 16, kElements = 1 << 11;  // the least work of a part
  const int64_t elements =
      std::max(op.input(0).shape.num_elements(), op.output(0).shape.num_elements());
  const int64_t parts = std::max(FindOp(op.kind)->cost(op).flops / kFlops, elements / kElements);
  return static_cast<int>(std::clamp<int64_t>(parts, 1, threads));
}

int64_t ForeignHeapBytes() { return foreign_heap_bytes.load(std::memory_order_relaxed); }

Status OperatorStep::Create(const Lowering& lowering, const OpInstance& op, xnn::WeightsCache cache,
                            const Threads& threads, int parts, Region& region, RunnableStep** out,
                            int64_t* workspace_bytes) {
  static_assert(sizeof(OperatorStep) % alignof(Part) == 0);
  const xnn::Params whole = lowering.describe(op);
  const bool own_threads = threads.pool == nullptr && parts > 1;
  const xnn::Cutting cutting = own_threads ? xnn::CuttingOf(whole, parts) : xnn::Cutting();
  const size_t bytes = sizeof(OperatorStep) + static_cast<size_t>(cutting.parts) * sizeof(Part);
  void* memory = region.Allocate(static_cast<int64_t>(bytes));
  if (memory == nullptr) return {StatusCode::kNoMemory, "XNNPACK step"};
  auto* step = new (memory) OperatorStep(threads, parts > 1, &region);
  const Status status = step->CreateParts(whole, cutting, cache, workspace_bytes);
  if (!status.ok()) {
    region.Free(memory);
    return status;
  }
  *out = step;
  return {};
}

OperatorStep::OperatorStep(const Threads& threads, bool uses_threads, Region* region)
    : pool_(uses_threads ? threads.pool : nullptr),
      parallel_(threads.parallel),
      region_(region),
      parts_(reinterpret_cast<Part*>(this + 1)) {}

Status OperatorStep::CreateParts(const xnn::Params& whole, xnn::Cutting cutting,
                                 xnn::WeightsCache cache, int64_t* workspace_bytes) {
  const ScopedRegion scope(region_);
  const HeapMeter meter;
  *workspace_bytes = 0;
  while (num_parts_ < cutting.parts) {
    const xnn_status status = CreatePart(whole, cutting, cache, workspace_bytes);
    if (status != xnn_status_success) {
      DeleteParts();
      return ToStatus(status);
    }
  }
  heap_bytes_ = meter.Stop();
  return {};
}

// Creates the next part. One that fails counts too, so that DeleteParts frees what it holds.
xnn_status OperatorStep::CreatePart(const xnn::Params& whole, xnn::Cutting cutting,
                                    xnn::WeightsCache cache, int64_t* workspace_bytes) {
  Part& part = *new (parts_ + num_parts_) Part();
  const xnn::Part cut = xnn::Cut(whole, cutting, num_parts_);
  part.params = cut.params;
  part.offsets = cut.offsets;
  ++num_parts_;
  xnn_status status = CreateOperator(part.params, cache, &part.op);
  size_t workspace = 0;
  if (status == xnn_status_success) status = xnn::Reshape(part.params, part.op, pool_, &workspace);
  part.workspace = *workspace_bytes;
  *workspace_bytes += AlignUp(static_cast<int64_t>(workspace), kHostAlignment);
  return status;
}

void OperatorStep::DeleteParts() {
  // Latest first, so that the region can reuse the memory.
  while (num_parts_ > 0) xnn::Delete(&parts_[--num_parts_].op);
}

Status OperatorStep::Setup(const StepBuffers& buffers) {
  const ScopedRegion scope(region_);
  const auto* input = static_cast<const float*>(buffers.inputs[0]);
  const auto* input2 =
      buffers.inputs.size() > 1 ? static_cast<const float*>(buffers.inputs[1]) : nullptr;
  for (int i = 0; i < num_parts_; ++i) {
    const Part& part = parts_[i];
    const xnn::Addresses at = {
        .input = input + part.offsets.input,
        .input2 = input2 == nullptr ? nullptr : input2 + part.offsets.input2,
        .output = static_cast<float*>(buffers.outputs[0]) + part.offsets.output,
        .workspace = static_cast<std::byte*>(buffers.workspace) + part.workspace};
    LINNET_RETURN_IF_ERROR(ToStatus(xnn::Setup(part.params, part.op, at, pool_)));
  }
  return {};
}

Status OperatorStep::Run() {
  if (num_parts_ == 1) return ToStatus(xnn::Run(parts_[0].op, pool_));
  std::atomic<xnn_status> failure = xnn_status_success;
  ParallelFor(parallel_, num_parts_, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const xnn_status status = xnn::Run(parts_[i].op, nullptr);
      if (status != xnn_status_success) failure.store(status, std::memory_order_relaxed);
    }
  });
  // ParallelFor stops between parts when the run is cancelled: some may not have run.
  if (parallel_.Stopped()) return {StatusCode::kCancelled, "cancelled"};
  return ToStatus(failure.load(std::memory_order_relaxed));
}

void OperatorStep::Destroy() {
  const ScopedRegion scope(region_);
  DeleteParts();
  foreign_heap_bytes.fetch_sub(static_cast<ptrdiff_t>(heap_bytes_), std::memory_order_relaxed);
}

}  // namespace linnet::xnnpack
