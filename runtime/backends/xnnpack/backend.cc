// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/backend.h"

#include <new>

#include "runtime/backends/xnnpack/allocator.h"
#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/backends/xnnpack/operator_step.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/backends/xnnpack/weights_cache.h"

namespace linnet::xnnpack {
namespace {

struct Start {
  Status status;
  bool allocates_through_us = false;
};

// Whose allocator won shows when XNNPACK makes something.
Start StartXnnpack() {
  const xnn_status status = xnn_initialize(RegionAllocator());
  if (status == xnn_status_out_of_memory)
    return {{StatusCode::kNoMemory, "XNNPACK could not start: out of memory"}};
  if (status != xnn_status_success)
    return {{StatusCode::kUnsupported, "XNNPACK does not run on this processor"}};
  Region probe;
  const ScopedRegion scope(&probe);
  xnn::Operator op;
  const xnn::Unary abs = {.kind = xnn::UnaryKind::kAbs, .elements = 1};
  const xnn_status created = xnn::Create(abs, nullptr, &op);
  const bool ours = probe.used() > 0;
  xnn::Delete(&op);
  return {ToStatus(created), ours};
}

const Start& Started() {
  static const Start start = StartXnnpack();
  return start;
}

class Xnnpack final : public Backend {
 public:
  const char* name() const override { return "xnnpack"; }
  const char* WhyUnsupported(const OpInstance& op) const override {
    return xnnpack::WhyUnsupported(op, features_);
  }
  Status Initialize() const override { return Started().status; }
  bool PacksInput(const OpInstance& op, int i) const override {
    return xnnpack::PacksInput(op, i, features_);
  }
  int64_t heap_bytes() const override { return ForeignHeapBytes(); }

#ifdef LINNET_XNNPACK_2024
  Status NewPackedWeights(Region& region, PackedWeights** out) const override {
    void* memory = region.Allocate(sizeof(WeightsCache));
    if (memory == nullptr) return {StatusCode::kNoMemory, "packed weights"};
    *out = new (memory) WeightsCache(&region);
    return {};
  }

  // Creates the operator for the weights that it packs, and throws it away.
  Status Pack(const StepContext& step, PackedWeights* weights, const Threads&, Region&,
              void** packed) const override {
    *packed = nullptr;
    const Lowering* lowering = FindLowering(step.op.kind);
    if (!lowering->uses_weights_cache) return {};
    auto* cache = static_cast<WeightsCache*>(weights);
    WeightsCache::Entry* entry = cache->NewEntry();
    if (entry == nullptr) return {StatusCode::kNoMemory, "packed weights", step.index};
    // The operator itself comes from malloc: in the region it would lie below the weights, and its
    // place could not be had back.
    const ScopedRegion scope(nullptr);
    const ScopedWeights scoped_weights(entry, nullptr);
    xnn::Operator op;
    Params params;
    lowering->describe(step.op, &params);
    const Status status = ToStatus(CreateOperator(*lowering, params, cache->provider(), &op));
    xnn::Delete(&op);
    *packed = entry;
    return status.At(step.index);
  }
#endif

  Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                const Threads& threads, Region& region, RunnableStep** out,
                int64_t* workspace_bytes) const override {
#ifdef LINNET_XNNPACK_2024
    const ScopedWeights scoped_weights(static_cast<WeightsCache::Entry*>(packed), &region);
    xnn::WeightsCache cache =
        packed == nullptr ? nullptr : static_cast<WeightsCache*>(weights)->provider();
#else
    (void)weights, (void)packed;
    xnn::WeightsCache cache = nullptr;
#endif
    return OperatorStep::Create(*FindLowering(step.op.kind), step.op, cache, threads,
                                PartsWorth(step.op, threads.parallel.threads), region, out,
                                workspace_bytes)
        .At(step.index);
  }

 private:
  const XnnpackFeatures features_ = DeviceFeatures();
};

}  // namespace

const Backend& XnnpackBackend() {
  static const Xnnpack backend;
  return backend;
}

bool AllocatesThroughUs() { return Started().allocates_through_us; }

}  // namespace linnet::xnnpack
