// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/gather_nd.h"

#include "runtime/backends/vulkan/abi/gather_nd.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance& op) {
  const Shape& indices = op.input(1).shape;
  if (indices.back() == 0) return "places that no index names";
  if (op.input(0).shape.num_elements() == 0 && op.output(0).shape.num_elements() != 0)
    return "an empty input";
  // Nothing runs for an empty output, although an index may be out of range.
  const bool unseen = op.output(0).shape.num_elements() == 0 && indices.num_elements() != 0;
  return unseen ? "indices of an empty output" : nullptr;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const int batch_dims = op.as<GatherNdAttrs>().batch_dims;
  const Shape &params = op.input(0).shape, &indices = op.input(1).shape;
  const Rows rows = RowsOf(op.output(0)), index_rows = RowsOf(op.input(1));
  const int depth = static_cast<int>(index_rows.columns), last = params.rank() - 1;
  const bool whole_rows = batch_dims + depth <= last;
  Dispatch& dispatch = dispatches.Add(Shader::k_gather_nd, rows.count * rows.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Input(1));
  dispatch.Bind(Output(0));
  dispatch.Bind(StatusWord());
  dispatch.bad_index = "GatherNd: an index is out of range";
  dispatch.Specialise(whole_rows ? 1 : 0);
  dispatch.Specialise(static_cast<uint32_t>(depth));
  const int64_t count = indices.Product(batch_dims, indices.rank() - 1);
  const int64_t inner_rows = whole_rows ? params.Product(batch_dims + depth, last) : 1;
  GatherNdPush push{.quads = static_cast<uint>(rows.count * rows.quads),
                    .row_quads = static_cast<uint>(rows.quads),
                    .columns = static_cast<uint>(rows.columns),
                    .count = static_cast<uint>(count),
                    .inner_rows = static_cast<uint>(inner_rows),
                    .from_row = static_cast<uint>(RowElements(Layout::kRows4, params[last])),
                    .index_quads = static_cast<uint>(index_rows.quads),
                    .dims = {}};
  for (int k = 0; k < depth; ++k) push.dims[k] = static_cast<uint>(params[batch_dims + k]);
  dispatch.Push(push);
}
static_assert(kMaxRank == 8, "GatherNdPush::dims");

}  // namespace

const OpLowering kGatherNdLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .index_input = 1};

}  // namespace linnet::vulkan
