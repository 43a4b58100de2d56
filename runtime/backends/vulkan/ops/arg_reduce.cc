// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/arg_reduce.h"

#include "runtime/backends/vulkan/abi/arg_reduce.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const ArgReduceAttrs& attrs = op.as<ArgReduceAttrs>();
  const Shape& shape = op.input(0).shape;
  const Rows in = RowsOf(op.input(0)), out = RowsOf(op.output(0));
  const bool rows = attrs.axis == shape.rank() - 1;
  const int64_t positions = rows ? in.quads : shape[attrs.axis];
  const int64_t stride = rows ? 1 : shape.Product(attrs.axis + 1, shape.rank() - 1) * in.quads;
  const int64_t quads = out.count * out.quads;
  const int64_t threads = ThreadsFor(positions);
  const bool is_float = op.input(0).dtype == DType::kFloat32;
  Dispatch& dispatch = dispatches.Add(is_float ? Shader::k_arg_reduce : Shader::k_arg_reduce_int,
                                      GroupThreads(quads, threads));
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Specialise(static_cast<uint32_t>(threads));
  dispatch.Specialise(rows ? 1 : 0);
  dispatch.Push(ArgReducePush{.quads = static_cast<uint>(quads),
                              .out_quads = static_cast<uint>(out.quads),
                              .out_columns = static_cast<uint>(out.columns),
                              .columns = static_cast<uint>(in.columns),
                              .positions = static_cast<uint>(positions),
                              .stride = static_cast<uint>(stride),
                              .min = attrs.min ? 1u : 0u});
}

}  // namespace

const OpLowering kArgReduceLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .makes_positions = true};

}  // namespace linnet::vulkan
