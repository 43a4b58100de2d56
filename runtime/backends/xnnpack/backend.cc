// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/backend.h"

#include <cpuinfo.h>

#include <new>

#include "runtime/backends/xnnpack/allocator.h"
#include "runtime/backends/xnnpack/edge_probe.h"
#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/backends/xnnpack/operator_step.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/backends/xnnpack/weights_cache.h"
#include "runtime/core/instruction_set.h"

namespace linnet::xnnpack {
namespace {

// Hides from XNNPACK all instructions beyond LINNET_ISA. Has no effect when another library in the
// process has initialised XNNPACK before.
void MaskCpu() {
  const InstructionSetChoice& choice = ChosenInstructionSet();
  if (!choice.masked || !cpuinfo_initialize()) return;
#if defined(__x86_64__)
  using Set = InstructionSet;
  struct Row {
    bool* has;
    Set least;  // the smallest set that contains it
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
  // Only the largest set may use these.
  if (choice.set < Set::kAvx512)
    cpuinfo_isa.avx512vbmi = cpuinfo_isa.avx512vnni = cpuinfo_isa.avx512bf16 = false;
#endif
}

struct Start {
  Status status;
  bool allocates_through_us = false;
};

// Initializes XNNPACK and creates an operator, to see whether it uses our allocator. The first step
// that would run on XNNPACK pays for it: most of the time it reads what the system knows about the
// CPU, which takes as long as opening a plan.
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
  return {ToStatus(created), ours};
}

const Start& Started() {
  static const Start start = StartXnnpack();
  return start;
}

const XnnpackFeatures& Features() {
  static const XnnpackFeatures features = DeviceFeatures();
  return features;
}

class Xnnpack final : public Backend {
 public:
  const char* name() const override { return "xnnpack"; }
  const char* library() const override { return PackageFeatures().library; }
  const char* processor() const override {
    if (!cpuinfo_initialize() || cpuinfo_get_packages_count() == 0) return nullptr;
    return cpuinfo_get_package(0)->name;
  }
  const char* WhyUnsupported(const OpInstance& op) const override {
    const char* reason = xnnpack::WhyUnsupported(op, Features());
    return reason != nullptr ? reason : WhyNotHere(op);
  }
  const char* WhyUnable(const OpInstance& op) const override {
    const char* reason = xnnpack::WhyUnable(op, Features());
    if (reason == nullptr) reason = WhyCopied(op);
    return reason != nullptr ? reason : WhyNotHere(op);
  }
  Status Initialize() const override { return Started().status; }
  bool PacksInput(const OpInstance& op, int i) const override {
    return xnnpack::PacksInput(op, i, Features());
  }
  int64_t heap_bytes() const override { return ForeignHeapBytes(); }

#ifdef LINNET_XNNPACK_2024
  Status NewPackedWeights(int64_t, Region& region, PackedWeights** out) const override {
    void* memory = region.Allocate(sizeof(WeightsCache));
    if (memory == nullptr) return {StatusCode::kNoMemory, "packed weights"};
    *out = new (memory) WeightsCache(&region);
    return {};
  }

  // Creates the operator, because that packs its weights, and deletes it.
  Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
              void** packed) const override {
    *packed = nullptr;
    const Lowering* lowering = FindLowering(step.op.kind);
    if (!lowering->uses_weights_cache) return {};
    auto* cache = static_cast<WeightsCache*>(weights);
    // What equal weights share takes no memory, but time: an untrusted plan with a limit may not
    // have the same weights packed for each of its steps without end.
    const bool is_limited = region.owns_memory();
    if (is_limited && cache->shared_bytes() > region.capacity())
      return {StatusCode::kNoMemory, "packed weights", step.index};
    WeightsCache::Entry* entry = cache->NewEntry();
    if (entry == nullptr) return {StatusCode::kNoMemory, "packed weights", step.index};
    // The operator itself is allocated by malloc: in the region it would be below the weights, and
    // its memory could not be reused.
    const ScopedRegion scope(nullptr);
    const ScopedWeights scoped_weights(entry, nullptr);
    xnn::Operator op;
    const Status status =
        ToStatus(CreateOperator(lowering->describe(step.op), cache->provider(), &op));
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
  // What is known only after XNNPACK has started.
  static const char* WhyNotHere(const OpInstance& op) {
    if (!Started().status.ok()) return Started().status.what();
    return IsWrongAtEdges(op) ? "its kernel for this CPU is wrong at the edges" : nullptr;
  }
};

}  // namespace

const Backend& GetBackend() {
  static const Xnnpack backend;
  return backend;
}

bool AllocatesThroughUs() { return Started().allocates_through_us; }

}  // namespace linnet::xnnpack
