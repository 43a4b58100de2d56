// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/conv2d.h"

#include "runtime/backends/portable/ops/any_dtype.h"
#include "runtime/backends/portable/ops/packed_filter.h"
#include "runtime/kernels/winograd_conv2d.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/window.h"

namespace linnet::portable {
namespace {

// Takes the channels from the filter, because it may be packed for shapes that vary.
kernels::Conv2DShape ShapeOf(const Conv2DAttrs& given, const Shape& in, const Shape& filter,
                             const Shape& out) {
  const Conv2DAttrs attrs = WithPads(given, in[1], in[2], filter[1], filter[2]);
  return {.batch = in[0],
          .in_h = in[1],
          .in_w = in[2],
          .in_channels = SaturatingMul(filter[3], attrs.groups),
          .kernel_h = filter[1],
          .kernel_w = filter[2],
          .out_h = out[1],
          .out_w = out[2],
          .out_channels = filter[0],
          .stride_h = attrs.stride_h,
          .stride_w = attrs.stride_w,
          .dilation_h = attrs.dilation_h,
          .dilation_w = attrs.dilation_w,
          .pad_top = attrs.pad_top,
          .pad_left = attrs.pad_left,
          .groups = attrs.groups};
}

kernels::Conv2DShape ShapeOf(const OpInstance& op) {
  return ShapeOf(op.as<Conv2DAttrs>(), op.input(0).shape, op.input(1).shape, op.output(0).shape);
}

using kernels::kLinkedWinograd;

bool UsesWinograd(const Conv2DAttrs& attrs) {
  return kLinkedPacking && kLinkedWinograd != nullptr && attrs.winograd != 0;
}
bool UsesWinograd(const OpInstance& op) { return UsesWinograd(op.as<Conv2DAttrs>()); }
int WinogradOf(const OpInstance& op) { return op.as<Conv2DAttrs>().winograd; }

int64_t PreparedBytes(const OpInstance& op) {
  if (!kLinkedPacking) return 0;
  if (!HasConstantFilter(op)) return 0;
  return AlignedBytes<float>(UsesWinograd(op)
                                 ? kLinkedWinograd->packed_floats(ShapeOf(op), WinogradOf(op))
                                 : kernels::PackedConv2DFloats(ShapeOf(op)));
}

void Prepare(const OpInstance& op, void* prepared) {
  if (!kLinkedPacking) return;
  auto* packed = static_cast<float*>(prepared);
  if (UsesWinograd(op))
    kLinkedWinograd->pack(ShapeOf(op), WinogradOf(op), ConstantFilter(op), packed);
  else
    kernels::PackConv2D(ShapeOf(op), ConstantFilter(op), packed);
}

// Panels of a plan know no groups.
PanelForm ReadsPanels(const OpInstance& op) {
  if (UsesWinograd(op) || op.as<Conv2DAttrs>().groups != 1) return PanelForm::kNone;
  return FormOfProduct(op);
}

int64_t PlainScratchBytes(const OpInstance& op, int threads) {
  return HasConstantFilter(op) ? kernels::Conv2DScratchBytes(ShapeOf(op), threads)
                               : kernels::Conv2DScratchBound(ShapeOf(op), threads);
}

int64_t ScratchBytes(const OpInstance& op, int threads) {
  if (!kLinkedPacking) return 0;
  if (UsesWinograd(op)) return kLinkedWinograd->scratch_bytes(ShapeOf(op), WinogradOf(op), threads);
  return ScratchBehindFilter(op, kernels::PackedConv2DFloats(ShapeOf(op)),
                             PlainScratchBytes(op, threads));
}

Status Run(const KernelContext& context) {
  const auto& attrs = context.as<Conv2DAttrs>();
  const kernels::Conv2DShape shape = ShapeOf(attrs, context.inputs[0].shape(),
                                             context.inputs[1].shape(), context.outputs[0].shape());
  const auto* in = context.inputs[0].as<const float>();
  auto* out = context.outputs[0].as<float>();
  if (context.packs && UsesWinograd(attrs)) {
    kLinkedWinograd->run(shape, attrs.winograd, in, static_cast<const float*>(context.prepared),
                         BiasOf(context), attrs.range.min, attrs.range.max, out, context.scratch,
                         context.parallel);
    return {};
  }
  const FilterOfRun of_run = FilterOf(
      context, kernels::PackedConv2DFloats(shape),
      [&](const float* plain, float* panels) { kernels::PackConv2D(shape, plain, panels); });
  kernels::Conv2D(shape, in, of_run.filter, BiasOf(context), attrs.range.min, attrs.range.max, out,
                  of_run.scratch, context.parallel);
  return {};
}

}  // namespace

const PortableOp kConv2DKernel = {.why_unsupported = SupportsAnything,
                                  .scratch_bytes = ScratchBytes,
                                  .plain_scratch_bytes = PlainScratchBytes,
                                  .prepared_bytes = PreparedBytes,
                                  .prepare = Prepare,
                                  .packs_input = PacksFilter,
                                  .reads_panels = ReadsPanels,
                                  .run = Run};

}  // namespace linnet::portable
