// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/backend.h"

#include <memory>
#include <new>

#include "runtime/backends/portable/ops/packed_filter.h"
#include "runtime/backends/portable/portable_op.h"
#include "runtime/backends/portable/strips.h"
#include "runtime/backends/portable/support.h"
#include "runtime/core/linked_parts.h"

namespace linnet::portable {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory for a portable step"};

class Step final : public RunnableStep {
 public:
  Step(const PortableOp* kernel, const void* attrs, const void* packed, bool is_encoded, bool packs,
       const Parallel& parallel)
      : kernel_(kernel) {
    context_.attrs = attrs;
    context_.prepared = packed;
    context_.packs = packs;
    context_.is_encoded = is_encoded;
    context_.parallel = parallel;
  }

  // Of a step with its views, which lie right after it: a piece of memory for each would be larger.
  static int64_t BytesFor(const OpInstance& op) {
    static_assert(sizeof(Step) % alignof(TensorView) == 0);
    const size_t views = op.inputs.size() + op.outputs.size();
    return static_cast<int64_t>(sizeof(Step) + views * sizeof(TensorView));
  }

  // Copies the types; Setup sets the addresses.
  void SetTypes(const OpInstance& op, int64_t scratch_bytes) {
    scratch_bytes_ = scratch_bytes;
    views_ = reinterpret_cast<TensorView*>(this + 1);
    context_.inputs = {views_, op.inputs.size()};
    context_.outputs = {views_ + op.inputs.size(), op.outputs.size()};
    std::uninitialized_value_construct_n(views_, op.inputs.size() + op.outputs.size());
    FillTypes(op);
  }

  Status Setup(const StepBuffers& buffers) override {
    for (size_t i = 0; i < buffers.inputs.size(); ++i) views_[i].data = buffers.inputs[i];
    for (size_t i = 0; i < buffers.outputs.size(); ++i)
      views_[buffers.inputs.size() + i].data = buffers.outputs[i];
    context_.scratch = buffers.workspace;
    return {};
  }

  Status Resize(const OpInstance& op) override {
    if (ScratchBytes(*kernel_, op, context_.packs, context_.parallel) > scratch_bytes_)
      return {StatusCode::kInternal,
              "a portable step needs more temporary memory with smaller shapes"};
    FillTypes(op);
    return {};
  }

  Status Run() override { return RunKernel(*kernel_, context_); }
  void Destroy() override {}  // everything is in the session's region

 private:
  void FillTypes(const OpInstance& op) {
    for (size_t i = 0; i < op.inputs.size(); ++i) views_[i].type = op.inputs[i].type;
    for (size_t i = 0; i < op.outputs.size(); ++i)
      views_[op.inputs.size() + i].type = op.outputs[i];
  }

  const PortableOp* kernel_;
  KernelContext context_;
  TensorView* views_ = nullptr;
  int64_t scratch_bytes_ = 0;
};

class PortableBackend final : public Backend {
 public:
  explicit constexpr PortableBackend(bool packs) : packs_(packs) {}

  const char* name() const override { return "portable"; }

  bool can_resize() const override { return true; }

  const char* WhyUnsupported(const OpInstance& op) const override {
    return portable::WhyUnsupported(op);
  }

  bool PacksInput(const OpInstance& op, int i) const override {
    const PortableOp* kernel = FindPortableOp(op.kind);
    if (kLinkedPanels && op.inputs[static_cast<size_t>(i)].form != PanelForm::kNone) return true;
    return packs_ && kernel->packs_input != nullptr && kernel->packs_input(op, i);
  }

  PanelForm ReadsPanels(const OpInstance& op, int i) const override {
    const PortableOp* kernel = FindPortableOp(op.kind);
    if (!kLinkedPanels || i != kFilterInput || kernel->reads_panels == nullptr)
      return PanelForm::kNone;
    const PanelForm form = kernel->reads_panels(op);
    return !packs_ && form == PanelForm::kEncoded ? PanelForm::kFloats : form;
  }

  Status Pack(const StepContext& step, PackedWeights*, Region& region,
              void** packed) const override {
    const PortableOp* kernel = FindPortableOp(step.op.kind);
    *packed = nullptr;
    if (kLinkedPanels && FilterForm(step.op) == PanelForm::kFloats) {
      *packed = const_cast<void*>(step.op.inputs[kFilterInput].panels);  // nothing writes there
      return {};
    }
    if (kLinkedEncodedPanels && FilterForm(step.op) == PanelForm::kEncoded)
      return PackEncoded(step.op, region, packed);
    if (!packs_ && kernel->packs_input != nullptr) return {};
    const int64_t bytes = kernel->prepared_bytes == nullptr ? 0 : kernel->prepared_bytes(step.op);
    if (bytes == 0) return {};
    *packed = region.Allocate(bytes);
    if (*packed == nullptr) return kNoMemory;
    kernel->prepare(step.op, *packed);
    return {};
  }

  Status Create(const StepContext& step, PackedWeights*, void* packed, const Threads& threads,
                Region& region, RunnableStep** out, int64_t* workspace_bytes) const override {
    const PortableOp* kernel = FindPortableOp(step.op.kind);
    void* memory = region.Allocate(Step::BytesFor(step.op));
    if (memory == nullptr) return kNoMemory;
    auto* runnable =
        new (memory) Step(kernel, step.op.attrs, packed,
                          kLinkedEncodedPanels && FilterForm(step.op) == PanelForm::kEncoded,
                          packs_, threads.parallel);
    *workspace_bytes = ScratchBytes(*kernel, step.op, packs_, threads.parallel);
    runnable->SetTypes(step.op, *workspace_bytes);
    *out = runnable;
    return {};
  }

  bool runs_strips() const override { return kLinkedStrips; }

  Status CreateStrips(const StripsContext& strips, const Threads& threads, Region& region,
                      RunnableStep** out, int64_t* workspace_bytes) const override {
    if (!kLinkedStrips) return {};  // never called
    return portable::CreateStrips(strips, packs_, threads.parallel, region, out, workspace_bytes);
  }

 private:
  static PanelForm FilterForm(const OpInstance& op) {
    return op.num_inputs() <= kFilterInput ? PanelForm::kNone : op.inputs[kFilterInput].form;
  }

  static Status PackEncoded(const OpInstance& op, Region& region, void** packed) {
    void* memory = region.Allocate(sizeof(kernels::EncodedFilter));
    if (memory == nullptr) return kNoMemory;
    *packed = new (memory) kernels::EncodedFilter(
        kernels::MakeEncodedFilter(op.inputs[kFilterInput].in_panels, MultipliesInHalves(op)));
    return {};
  }

  PacksWeights packs_;
};

}  // namespace

const Backend& GetBackend() {
  static constexpr PortableBackend backend(/*packs=*/true);
  return backend;
}

const Backend& GetPlainBackend() {
  static constexpr PortableBackend backend(/*packs=*/false);
  return backend;
}

}  // namespace linnet::portable
