// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/backend.h"

#include <new>

#include "runtime/backends/portable/portable_op.h"
#include "runtime/backends/portable/support.h"

namespace linnet::portable {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory for a portable step"};

class Step final : public RunnableStep {
 public:
  Step(const PortableOp* kernel, const void* attrs, const void* packed, const Parallel& parallel)
      : kernel_(kernel) {
    context_.attrs = attrs;
    context_.prepared = packed;
    context_.parallel = parallel;
  }

  // Copies the types next to the step; addresses follow in Setup.
  Status SetTypes(const OpInstance& op, Region& region) {
    const auto inputs = static_cast<int64_t>(op.inputs.size());
    const auto outputs = static_cast<int64_t>(op.outputs.size());
    views_ = region.New<TensorView>(inputs + outputs);
    if (views_ == nullptr) return kNoMemory;
    for (int64_t i = 0; i < inputs; ++i) views_[i].type = op.inputs[i].type;
    for (int64_t i = 0; i < outputs; ++i) views_[inputs + i].type = op.outputs[i];
    context_.inputs = {views_, static_cast<size_t>(inputs)};
    context_.outputs = {views_ + inputs, static_cast<size_t>(outputs)};
    return {};
  }

  Status Setup(const StepBuffers& buffers) override {
    for (size_t i = 0; i < buffers.inputs.size(); ++i) views_[i].data = buffers.inputs[i];
    for (size_t i = 0; i < buffers.outputs.size(); ++i)
      views_[buffers.inputs.size() + i].data = buffers.outputs[i];
    context_.scratch = buffers.workspace;
    return {};
  }

  Status Run() override { return kernel_->run(context_); }
  void Destroy() override {}  // everything lies in the session's region

 private:
  const PortableOp* kernel_;
  KernelContext context_;
  TensorView* views_ = nullptr;
};

class PortableBackend final : public Backend {
 public:
  const char* name() const override { return "portable"; }

  const char* WhyUnsupported(const OpInstance& op) const override {
    return portable::WhyUnsupported(op);
  }

  bool PacksInput(const OpInstance& op, int i) const override {
    const PortableOp* kernel = FindPortableOp(op.kind);
    return kernel->packs_input != nullptr && kernel->packs_input(op, i);
  }

  Status Pack(const StepContext& step, PackedWeights*, const Threads&, Region& region,
              void** packed) const override {
    const PortableOp* kernel = FindPortableOp(step.op.kind);
    const int64_t bytes = kernel->prepared_bytes == nullptr ? 0 : kernel->prepared_bytes(step.op);
    *packed = nullptr;
    if (bytes == 0) return {};
    *packed = region.Allocate(bytes);
    if (*packed == nullptr) return kNoMemory;
    kernel->prepare(step.op, *packed);
    return {};
  }

  Status Create(const StepContext& step, PackedWeights*, void* packed, const Threads& threads,
                Region& region, RunnableStep** out, int64_t* workspace_bytes) const override {
    const PortableOp* kernel = FindPortableOp(step.op.kind);
    void* memory = region.Allocate(sizeof(Step));
    if (memory == nullptr) return kNoMemory;
    auto* runnable = new (memory) Step(kernel, step.op.attrs, packed, threads.parallel);
    LINNET_RETURN_IF_ERROR(runnable->SetTypes(step.op, region));
    *workspace_bytes = kernel->scratch_bytes == nullptr
                           ? 0
                           : kernel->scratch_bytes(step.op, threads.parallel.threads);
    *out = runnable;
    return {};
  }
};

}  // namespace

const Backend& GetBackend() {
  static constexpr PortableBackend backend;
  return backend;
}

}  // namespace linnet::portable
