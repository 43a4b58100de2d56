// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/fully_connected.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/backends/portable/ops/packed_filter.h"
#include "runtime/kernels/gemm.h"
#include "runtime/ops/fully_connected.h"

namespace linnet::portable {
namespace {

int64_t PanelFloats(const Shape& filter) { return kernels::PackedFloats(filter[1], filter[0]); }

int64_t PreparedBytes(const OpInstance& op) {
  if (!kLinkedPacking) return 0;
  return HasConstantFilter(op) ? AlignedBytes<float>(PanelFloats(op.input(1).shape)) : 0;
}

int64_t PlainScratchBytes(const OpInstance&, int) { return 0; }

int64_t ScratchBytes(const OpInstance& op, int) {
  if (!kLinkedPacking) return 0;
  return ScratchBehindFilter(op, PanelFloats(op.input(1).shape), 0);
}

void Prepare(const OpInstance& op, void* prepared) {
  if (!kLinkedPacking) return;
  const Shape& filter = op.input(1).shape;
  kernels::PackFullyConnected({.rows = 0, .depth = filter[1], .cols = filter[0]},
                              ConstantFilter(op), static_cast<float*>(prepared), Parallel());
}

Status Run(const KernelContext& context) {
  const Shape& in = context.inputs[0].shape();
  const Shape& filter = context.inputs[1].shape();
  const kernels::FullyConnectedShape shape = {
      .rows = in.Product(0, in.rank() - 1), .depth = filter[1], .cols = filter[0]};
  const FilterOfRun of_run =
      FilterOf(context, PanelFloats(filter), [&](const float* plain, float* panels) {
        kernels::PackFullyConnected(shape, plain, panels, context.parallel);
      });
  const OutputRange& range = context.as<FullyConnectedAttrs>().range;
  kernels::FullyConnected(shape, context.inputs[0].as<const float>(), of_run.filter,
                          BiasOf(context), range.min, range.max, context.outputs[0].as<float>(),
                          context.parallel);
  return {};
}

}  // namespace

const PortableOp kFullyConnectedKernel = {.why_unsupported = SupportsAnything,
                                          .scratch_bytes = ScratchBytes,
                                          .plain_scratch_bytes = PlainScratchBytes,
                                          .prepared_bytes = PreparedBytes,
                                          .prepare = Prepare,
                                          .packs_input = PacksFilter,
                                          .reads_panels = FormOfProduct,
                                          .run = Run};

}  // namespace linnet::portable
