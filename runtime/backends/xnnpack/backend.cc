// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/backend.h"

#include <cpuinfo.h>

#include <atomic>
#include <new>

#include "runtime/backends/xnnpack/allocator.h"
#include "runtime/backends/xnnpack/edge_probe.h"
#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/backends/xnnpack/weights_cache.h"
#include "runtime/core/instruction_set.h"

namespace linnet::xnnpack {
namespace {

const Lowering* FindLowering(OpKind kind) {
  switch (kind) {
    case OpKind::kConv2D:
      return &kConv2DLowering;
    case OpKind::kDepthwiseConv2D:
      return &kDepthwiseConv2DLowering;
    case OpKind::kTransposeConv2D:
      return &kTransposeConv2DLowering;
    case OpKind::kFullyConnected:
      return &kFullyConnectedLowering;
    case OpKind::kPool2D:
      return &kPool2DLowering;
    case OpKind::kUnary:
      return &kUnaryLowering;
    case OpKind::kBinary:
      return &kBinaryLowering;
    case OpKind::kClamp:
      return &kClampLowering;
    case OpKind::kPrelu:
      return &kPreluLowering;
    case OpKind::kSoftmax:
      return &kSoftmaxLowering;
    case OpKind::kResize:
      return &kResizeLowering;
    case OpKind::kPad:
      return &kPadLowering;
    case OpKind::kDepthToSpace:
      return &kDepthToSpaceLowering;
    case OpKind::kSpaceToDepth:
      return &kSpaceToDepthLowering;
    case OpKind::kReduce:
      return &kReduceLowering;
    case OpKind::kTranspose:
      return &kTransposeLowering;
    case OpKind::kBatchMatMul:
      return &kBatchMatMulLowering;
    default:
      return nullptr;
  }
}

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

// 2024-11 says "success" without an operator where the row of zeros for padding found no memory.
xnn_status CreateOperator(const Lowering& lowering, const Params& params, xnn::WeightsCache cache,
                          xnn::Operator* op) {
  const xnn_status status = lowering.create(params, cache, op);
  const bool vanished = status == xnn_status_success && op->op == nullptr;
  return vanished ? xnn_status_out_of_memory : status;
}

std::atomic<int64_t> foreign_heap_bytes = 0;

// Estimates what XNNPACK takes from a heap that is not ours while it lives.
class HeapMeter {
 public:
  HeapMeter() : before_(AllocatesThroughUs() ? -1 : HeapBytesInUse()) {}
  int64_t Stop() const {
    if (before_ < 0) return 0;
    const int64_t taken = HeapBytesInUse() - before_;
    if (taken <= 0) return 0;
    foreign_heap_bytes.fetch_add(taken, std::memory_order_relaxed);
    return taken;
  }

 private:
  int64_t before_;
};

// Handing work to threads and waiting for them takes about two microseconds.
bool IsWorthThreads(const OpInstance& op) {
  constexpr int64_t kFlops = 1 << 17, kElements = 1 << 15;
  return FindOp(op.kind)->cost(op).flops >= kFlops ||
         op.output(0).shape.num_elements() >= kElements ||
         op.input(0).shape.num_elements() >= kElements;
}

// A step that runs one operator.
class OperatorStep final : public RunnableStep {
 public:
  OperatorStep(const OpInstance& op, const Lowering* lowering, pthreadpool_t pool, Region* region)
      : lowering_(lowering), pool_(pool), region_(region) {
    lowering_->describe(op, &params_);
  }

  // Creates the operator and fixes its shapes. What fails leaves nothing behind.
  Status Create(xnn::WeightsCache cache, int64_t* workspace_bytes) {
    const ScopedRegion scope(region_);
    const HeapMeter meter;
    xnn_status status = CreateOperator(*lowering_, params_, cache, &op_);
    size_t workspace = 0;
    if (status == xnn_status_success) status = lowering_->reshape(params_, op_, pool_, &workspace);
    if (status != xnn_status_success) {
      xnn::Delete(&op_);
      return ToStatus(status);
    }
    heap_bytes_ = meter.Stop();
    *workspace_bytes = static_cast<int64_t>(workspace);
    return {};
  }

  Status Setup(const StepBuffers& buffers) override {
    const ScopedRegion scope(region_);
    const xnn::Addresses at = {.input = static_cast<const float*>(buffers.inputs[0]),
                               .input2 = buffers.inputs.size() > 1
                                             ? static_cast<const float*>(buffers.inputs[1])
                                             : nullptr,
                               .output = static_cast<float*>(buffers.outputs[0]),
                               .workspace = buffers.workspace};
    return ToStatus(lowering_->setup(params_, op_, at, pool_));
  }

  Status Run() override { return ToStatus(xnn::Run(op_, pool_)); }

  void Destroy() override {
    const ScopedRegion scope(region_);
    xnn::Delete(&op_);
    foreign_heap_bytes.fetch_sub(heap_bytes_, std::memory_order_relaxed);
  }

 private:
  const Lowering* lowering_;
  pthreadpool_t pool_;
  Region* region_;
  xnn::Operator op_;
  int64_t heap_bytes_ = 0;
  Params params_;
};

// Takes from what XNNPACK is going to see of the CPU all that is beyond LINNET_ISA. In vain when
// somebody else in the process has initialised XNNPACK before.
void MaskCpu() {
  const InstructionSetChoice& choice = ChosenInstructionSet();
  if (!choice.masked || !cpuinfo_initialize()) return;
#if defined(__x86_64__)
  using Set = InstructionSet;
  struct Row {
    bool* has;
    Set least;  // the smallest set that may use it
  };
  const Row rows[] = {
      {&cpuinfo_isa.ssse3, Set::kSse41},     {&cpuinfo_isa.sse4_1, Set::kSse41},
      {&cpuinfo_isa.sse4_2, Set::kSse41},    {&cpuinfo_isa.avx, Set::kAvx},
      {&cpuinfo_isa.xop, Set::kFma3},        {&cpuinfo_isa.fma4, Set::kFma3},
      {&cpuinfo_isa.fma3, Set::kFma3},       {&cpuinfo_isa.f16c, Set::kFma3},
      {&cpuinfo_isa.avx2, Set::kAvx2},       {&cpuinfo_isa.avx512f, Set::kAvx512f},
      {&cpuinfo_isa.avx512cd, Set::kAvx512}, {&cpuinfo_isa.avx512dq, Set::kAvx512},
      {&cpuinfo_isa.avx512bw, Set::kAvx512}, {&cpuinfo_isa.avx512vl, Set::kAvx512},
  };
  for (const Row& row : rows)
    if (row.least > choice.set) *row.has = false;
  // Sets that hold AVX-512 whole ask for these too.
  if (choice.set < Set::kAvx512)
    cpuinfo_isa.avx512vbmi = cpuinfo_isa.avx512vnni = cpuinfo_isa.avx512bf16 = false;
#endif
}

struct Start {
  Status status;
  bool allocates_through_us = false;
  XnnpackFeatures features;
};

// Whose allocator won shows when XNNPACK makes something.
Start StartXnnpack() {
  MaskCpu();
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
  if (created != xnn_status_success) return {ToStatus(created)};
  XnnpackFeatures features = DeviceFeatures();
  return {ToStatus(ProbeEdges(&features)), ours, features};
}

const Start& Started() {
  static const Start start = StartXnnpack();
  return start;
}

class Xnnpack final : public Backend {
 public:
  const char* name() const override { return "xnnpack"; }
  const char* WhyUnsupported(const OpInstance& op) const override {
    return xnnpack::WhyUnsupported(op, ProbedFeatures());
  }
  Status Initialize() const override { return Started().status; }
  bool PacksInput(const OpInstance& op, int i) const override {
    return xnnpack::PacksInput(op, i, ProbedFeatures());
  }
  int64_t heap_bytes() const override { return foreign_heap_bytes.load(std::memory_order_relaxed); }

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
    void* memory = region.Allocate(sizeof(OperatorStep));
    if (memory == nullptr) return {StatusCode::kNoMemory, "XNNPACK step", step.index};
    auto* runnable =
        new (memory) OperatorStep(step.op, FindLowering(step.op.kind),
                                  IsWorthThreads(step.op) ? threads.pool : nullptr, &region);
#ifdef LINNET_XNNPACK_2024
    const ScopedWeights scoped_weights(static_cast<WeightsCache::Entry*>(packed), &region);
    xnn::WeightsCache cache =
        packed == nullptr ? nullptr : static_cast<WeightsCache*>(weights)->provider();
#else
    (void)weights, (void)packed;
    xnn::WeightsCache cache = nullptr;
#endif
    const Status status = runnable->Create(cache, workspace_bytes);
    if (!status.ok()) {
      region.Free(memory);
      return status.At(step.index);
    }
    *out = runnable;
    return {};
  }
};

}  // namespace

const Backend& XnnpackBackend() {
  static const Xnnpack backend;
  return backend;
}

const XnnpackFeatures& ProbedFeatures() { return Started().features; }

bool AllocatesThroughUs() { return Started().allocates_through_us; }

}  // namespace linnet::xnnpack
