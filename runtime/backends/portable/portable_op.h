// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/core/linked_weights.h"
#include "runtime/core/parallel.h"
#include "runtime/ops/op_def.h"
#include "runtime/ops/tensor_view.h"

namespace linnet::portable {

// One execution of one op. Shapes and dtypes have passed the op's shape rule and WhyUnsupported.
struct KernelContext {
  const void* attrs = nullptr;
  std::span<const TensorView> inputs;  // input 0 may have the data of output 0: kMayRunInPlace
  std::span<const TensorView> outputs;
  const void* prepared = nullptr;  // what `prepare` wrote, 64-byte aligned
  bool is_encoded = false;         // `prepared` is a kernels::EncodedFilter
  void* scratch = nullptr;         // scratch_bytes() bytes, 64-byte aligned, contents undefined
  // False: weights are read as the op has them, and scratch is plain_scratch_bytes() large.
  PacksWeights packs = true;
  Parallel parallel;

  template <typename Attrs>
  const Attrs& as() const {
    return *static_cast<const Attrs*>(attrs);
  }
};

// The portable implementation of one op, which only calls functions of runtime/kernels. One
// constant per op, k<Name>Kernel, defined in runtime/backends/portable/ops/<op>.cc. Used by the
// backend, and by the converter to fold constants.
struct PortableOp {
  // nullptr when `op` can run here, else a short reason ("bool has no order"). Pure.
  const char* (*why_unsupported)(const OpInstance& op);
  // Temporary memory that one run needs with `threads` threads; null function = none.
  int64_t (*scratch_bytes)(const OpInstance& op, int threads) = nullptr;
  // The same where nothing is packed; null function: scratch_bytes.
  int64_t (*plain_scratch_bytes)(const OpInstance& op, int threads) = nullptr;
  // Constants are packed once per plan, for example a filter in panels. prepared_bytes is 0 when
  // there is nothing to pack (for example because the filter is not constant); then `run` reads
  // inputs[i].data instead.
  int64_t (*prepared_bytes)(const OpInstance& op) = nullptr;
  void (*prepare)(const OpInstance& op, void* prepared) = nullptr;
  // True when run() does not read constant input `i` once it is packed, so that its plain form need
  // not stay in memory. Null function: `prepare` packs no input, but makes tables.
  bool (*packs_input)(const OpInstance& op, int i) = nullptr;
  // How `run` reads a filter that a plan has in panels, instead of what `prepare` would write:
  // InputInfo::panels, or InputInfo::in_panels as kernels::EncodedFilter
  // (KernelContext::is_encoded). Null function: kNone.
  PanelForm (*reads_panels)(const OpInstance& op) = nullptr;
  // Fails only with kBadIndex. Never allocates. Gives the same result for any number of threads.
  // Returns early with undefined outputs when context.parallel says that the run shall stop; then
  // RunKernel returns kCancelled.
  Status (*run)(const KernelContext& context);
};

Status RunKernel(const PortableOp& kernel, const KernelContext& context);

// Bytes of temporary memory that RunKernel needs.
int64_t ScratchBytes(const PortableOp& kernel, const OpInstance& op, PacksWeights packs,
                     const Parallel& parallel);

// By OpKind, as kLinkedOps is (runtime/ops/linked_ops.h).
extern const PortableOp* const kLinkedKernels[];

// The portable op of `kind`, or nullptr when this program has none.
const PortableOp* FindPortableOp(OpKind kind);

#define LINNET_OP(name, file) extern const PortableOp k##name##Kernel;
#include "runtime/ops/op_list.def"
#undef LINNET_OP

}  // namespace linnet::portable
