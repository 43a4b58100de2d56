// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/one_hot.h"

#include "runtime/backends/vulkan/abi/one_hot.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const OneHotAttrs& attrs = op.as<OneHotAttrs>();
  const Shape& indices = op.input(0).shape;
  const Rows rows = RowsOf(op.output(0)), index_rows = RowsOf(op.input(0));
  const bool last = attrs.axis == indices.rank();
  Dispatch& dispatch = dispatches.Add(Shader::k_one_hot, rows.count * rows.quads);
  for (int k = 0; k < 3; ++k) dispatch.Bind(Input(k));
  dispatch.Bind(Output(0));
  dispatch.Specialise(last ? 1 : 0);
  const int64_t inner_rows = last ? 1 : indices.Product(attrs.axis, indices.rank() - 1);
  dispatch.Push(OneHotPush{.quads = static_cast<uint>(rows.count * rows.quads),
                           .row_quads = static_cast<uint>(rows.quads),
                           .columns = static_cast<uint>(rows.columns),
                           .depth = static_cast<uint>(attrs.depth),
                           .inner_rows = static_cast<uint>(inner_rows),
                           .index_quads = static_cast<uint>(index_rows.quads),
                           .index_columns = static_cast<uint>(index_rows.columns)});
}

}  // namespace

// The nearest i32 of an i64 is no position either, because no tensor is that long.
const OpLowering kOneHotLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .index_input = 0};

}  // namespace linnet::vulkan
