// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather.h"

#include <cstring>

#include "runtime/backends/vulkan/abi/gather.h"
#include "runtime/backends/vulkan/index_check.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/pack_rows4.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

constexpr char kBadIndexMessage[] = "Gather: an index is out of range";

int64_t Extent(const OpInstance& op) { return op.input(0).shape[op.as<GatherAttrs>().axis]; }

// Packed are what is constant: the indices as i32 without padding, and behind them the params.
int64_t IndexBytes(const OpInstance& op) {
  if (!op.inputs[1].is_constant) return 0;
  return AlignUp(op.input(1).shape.num_elements() * 4, kWindowAlignment);
}

int64_t PackedBytes(const OpInstance& op, Layout layout) {
  int64_t bytes = IndexBytes(op);
  if (op.inputs[0].is_constant) bytes += BytesIn(layout, op.input(0));
  return bytes;
}

const char* WhyUnsupported(const OpInstance& op) {
  if (op.input(0).shape.num_elements() == 0 && op.output(0).shape.num_elements() != 0)
    return "an empty input";
  // Nothing runs for an empty output, although an index may be out of range.
  const bool unseen = op.output(0).shape.num_elements() == 0 &&
                      op.input(1).shape.num_elements() != 0 && !op.inputs[1].is_constant;
  return unseen ? "indices of an empty output" : nullptr;
}

const char* WhyBadConstants(const OpInstance& op) {
  const InputInfo& indices = op.inputs[1];
  if (!indices.is_constant || !HasBadIndex(indices, Extent(op))) return nullptr;
  return kBadIndexMessage;
}

void PackIndices(const OpInstance& op, std::byte* to) {
  const InputInfo& indices = op.inputs[1];
  const TensorType row{indices.type.dtype, {indices.type.shape.num_elements()}};
  PackRows4(Layout::kRows4, row, indices.value, to);
  const int64_t bytes = BytesIn(Layout::kRows4, row);
  std::memset(to + bytes, 0, static_cast<size_t>(IndexBytes(op) - bytes));
}

void Pack(const OpInstance& op, Layout layout, std::byte* to) {
  if (op.inputs[1].is_constant) PackIndices(op, to);
  if (op.inputs[0].is_constant)
    PackRows4(layout, op.input(0), op.inputs[0].value, to + IndexBytes(op));
}

Operand PackedParams(const OpInstance& op) {
  Operand params = Packed();
  params.offset = IndexBytes(op);
  return params;
}

Operand Indices(const OpInstance& op) {
  if (!op.inputs[1].is_constant) return Input(1);
  Operand indices = Packed();
  indices.bytes = IndexBytes(op);
  return indices;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const GatherAttrs& attrs = op.as<GatherAttrs>();
  const bool computed = !op.inputs[1].is_constant;
  if (computed) AddIndexCheck(op, 1, Extent(op), kBadIndexMessage, dispatches);
  const Shape &params = op.input(0).shape, &indices = op.input(1).shape;
  const Rows rows = RowsOf(op.output(0)), index_rows = RowsOf(op.input(1));
  const int last = params.rank() - 1;
  const bool whole_rows = attrs.axis < last;
  Dispatch& dispatch = dispatches.Add(Shader::k_gather, rows.count * rows.quads);
  dispatch.Bind(op.inputs[0].is_constant ? PackedParams(op) : Input(0));
  dispatch.Bind(Indices(op));
  dispatch.Bind(Output(0));
  dispatch.Specialise(whole_rows ? 1 : 0);
  dispatch.Specialise(computed && index_rows.count > 1 && index_rows.columns % 4 != 0 ? 1 : 0);
  const int64_t count = indices.Product(attrs.batch_dims, indices.rank());
  const int64_t inner_rows = whole_rows ? params.Product(attrs.axis + 1, last) : 1;
  dispatch.Push(GatherPush{.quads = static_cast<uint>(rows.count * rows.quads),
                           .row_quads = static_cast<uint>(rows.quads),
                           .columns = static_cast<uint>(rows.columns),
                           .outer = static_cast<uint>(params.Product(attrs.batch_dims, attrs.axis)),
                           .count = static_cast<uint>(count),
                           .dim = static_cast<uint>(Extent(op)),
                           .inner_rows = static_cast<uint>(inner_rows),
                           .from_row = static_cast<uint>(RowElements(Layout::kRows4, params[last])),
                           .index_columns = static_cast<uint>(index_rows.columns),
                           .index_row = static_cast<uint>(index_rows.quads * 4)});
}

}  // namespace

const OpLowering kGatherLowering = {.why_unsupported = WhyUnsupported,
                                    .lower = Lower,
                                    .packed_bytes = PackedBytes,
                                    .pack = Pack,
                                    .why_bad_constants = WhyBadConstants,
                                    .index_input = 1};

}  // namespace linnet::vulkan
