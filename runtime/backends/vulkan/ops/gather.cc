// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/abi/gather.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/pack_rows4.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

// Packed are the indices as i32 without padding, and behind them the params if these are constant.
int64_t IndexBytes(const OpInstance& op) {
  return AlignUp(op.input(1).shape.num_elements() * 4, kWindowAlignment);
}

int64_t PackedBytes(const OpInstance& op, Layout layout) {
  int64_t bytes = IndexBytes(op);
  if (op.inputs[0].is_constant) bytes += BytesIn(layout, op.input(0));
  return bytes;
}

int64_t IndexAt(const InputInfo& indices, int64_t i) {
  int32_t narrow = 0;
  int64_t wide = 0;
  if (indices.type.dtype == DType::kInt64) {
    std::memcpy(&wide, static_cast<const char*>(indices.value) + i * 8, 8);
    return wide;
  }
  std::memcpy(&narrow, static_cast<const char*>(indices.value) + i * 4, 4);
  return narrow;
}

// A run cannot say that an index is out of range, so all must be constant.
const char* WhyUnsupported(const OpInstance& op) {
  const InputInfo& indices = op.inputs[1];
  if (!indices.is_constant) return "indices that are computed";
  if (op.input(0).shape.num_elements() == 0 && op.output(0).shape.num_elements() != 0)
    return "an empty input";
  return nullptr;
}

const char* WhyBadConstants(const OpInstance& op) {
  const InputInfo& indices = op.inputs[1];
  const int64_t extent = op.input(0).shape[op.as<GatherAttrs>().axis];
  for (int64_t i = 0; i < indices.type.shape.num_elements(); ++i) {
    const int64_t index = IndexAt(indices, i);
    if (index < 0 || index >= extent) return "Gather: an index is out of range";
  }
  return nullptr;
}

void Pack(const OpInstance& op, Layout layout, std::byte* to) {
  const InputInfo& indices = op.inputs[1];
  const int64_t count = indices.type.shape.num_elements();
  // WhyBadConstants has looked at them, but in a file that is mapped they may have changed, and the
  // shader trusts them.
  const int64_t last = std::max<int64_t>(op.input(0).shape[op.as<GatherAttrs>().axis] - 1, 0);
  for (int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<int32_t>(std::clamp<int64_t>(IndexAt(indices, i), 0, last));
    std::memcpy(to + i * 4, &index, 4);
  }
  std::memset(to + count * 4, 0, static_cast<size_t>(IndexBytes(op) - count * 4));
  if (op.inputs[0].is_constant)
    PackRows4(layout, op.input(0), op.inputs[0].value, to + IndexBytes(op));
}

Operand PackedParams(const OpInstance& op) {
  Operand params = Packed();
  params.offset = IndexBytes(op);
  return params;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const GatherAttrs& attrs = op.as<GatherAttrs>();
  const Shape &params = op.input(0).shape, &indices = op.input(1).shape;
  const Rows rows = RowsOf(op.output(0));
  const int last = params.rank() - 1;
  const bool whole_rows = attrs.axis < last;
  Dispatch& dispatch = dispatches.Add(Shader::k_gather, rows.count * rows.quads);
  dispatch.Bind(op.inputs[0].is_constant ? PackedParams(op) : Input(0));
  Operand index_operand = Packed();
  index_operand.bytes = IndexBytes(op);
  dispatch.Bind(index_operand);
  dispatch.Bind(Output(0));
  dispatch.Specialise(whole_rows ? 1 : 0);
  const int64_t count = indices.Product(attrs.batch_dims, indices.rank());
  const int64_t inner_rows = whole_rows ? params.Product(attrs.axis + 1, last) : 1;
  dispatch.Push(
      GatherPush{.quads = static_cast<uint>(rows.count * rows.quads),
                 .row_quads = static_cast<uint>(rows.quads),
                 .columns = static_cast<uint>(rows.columns),
                 .outer = static_cast<uint>(params.Product(attrs.batch_dims, attrs.axis)),
                 .count = static_cast<uint>(count),
                 .dim = static_cast<uint>(params[attrs.axis]),
                 .inner_rows = static_cast<uint>(inner_rows),
                 .from_row = static_cast<uint>(RowElements(Layout::kRows4, params[last]))});
}

}  // namespace

const OpLowering kGatherLowering = {.why_unsupported = WhyUnsupported,
                                    .lower = Lower,
                                    .packed_bytes = PackedBytes,
                                    .pack = Pack,
                                    .why_bad_constants = WhyBadConstants};

}  // namespace linnet::vulkan
