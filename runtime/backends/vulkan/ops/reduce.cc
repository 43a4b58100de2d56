// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/reduce.h"

#include <algorithm>

#include "runtime/backends/vulkan/abi/reduce.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

constexpr int kDigits = 4;  // of each of the two numbers in ReducePush

// Dimensions of the input that are all kept or all reduced, innermost first, neighbours merged.
struct Digits {
  int count = 0;
  bool too_many = false;
  int64_t extents[kDigits] = {1, 1, 1, 1};
  int64_t strides[kDigits] = {};  // in quads

  void Append(int64_t extent, int64_t stride) {
    too_many = count == kDigits;
    if (too_many) return;
    extents[count] = extent;
    strides[count++] = stride;
  }
  int64_t product() const { return extents[0] * extents[1] * extents[2] * extents[3]; }
};

struct Axes {
  bool rows = false;         // the last dimension is reduced
  int64_t row_elements = 1;  // without padding, of reduced.extents[0] quads
  Digits kept, reduced;
};

bool IsReduced(const ReduceAttrs& attrs, int axis) {
  return std::find(attrs.axes.begin(), attrs.axes.end(), axis) != attrs.axes.end();
}

Axes AxesOf(const ReduceAttrs& attrs, const TensorType& in) {
  const int last = in.shape.rank() - 1;
  const Rows rows = RowsOf(in);
  Axes axes;
  axes.rows = IsReduced(attrs, last);
  axes.row_elements = rows.columns;
  Digits* previous = axes.rows ? &axes.reduced : &axes.kept;
  previous->Append(rows.quads, 1);
  int64_t stride = rows.quads;
  // Reduced rows with padding stay by themselves, because padding takes no part.
  bool merges = !axes.rows || rows.columns % 4 == 0;
  for (int axis = last - 1; axis >= 0; --axis) {
    const int64_t extent = in.shape[axis];
    if (extent == 1) continue;
    Digits* digits = IsReduced(attrs, axis) ? &axes.reduced : &axes.kept;
    if (digits == previous && merges)
      digits->extents[digits->count - 1] *= extent;
    else
      digits->Append(extent, stride);
    merges = true;
    previous = digits;
    stride *= extent;
  }
  if (axes.rows && rows.columns % 4 == 0) axes.row_elements = axes.reduced.extents[0] * 4;
  return axes;
}

uint KindOf(schema::ReduceKind kind) {
  switch (kind) {
    case schema::ReduceKind::Mean:
      return kReduceMean;
    case schema::ReduceKind::Prod:
      return kReduceProd;
    case schema::ReduceKind::Max:
    case schema::ReduceKind::Any:
      return kReduceMax;
    case schema::ReduceKind::Min:
    case schema::ReduceKind::All:
      return kReduceMin;
    default:
      return kReduceSum;
  }
}

const char* WhyUnsupported(const OpInstance& op) {
  if (op.input(0).shape.num_elements() == 0) return "nothing to reduce";
  const Axes axes = AxesOf(op.as<ReduceAttrs>(), op.input(0));
  return axes.kept.too_many || axes.reduced.too_many ? "many dimensions in turns" : nullptr;
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const ReduceAttrs& attrs = op.as<ReduceAttrs>();
  const TensorType &in = op.input(0), &out = op.output(0);
  const Axes axes = AxesOf(attrs, in);
  const Rows rows = RowsOf(out);
  const int64_t quads = rows.count * rows.quads, positions = axes.reduced.product();
  const int64_t threads = ThreadsFor(positions);
  const Shader shader = in.dtype == DType::kFloat32 ? Shader::k_reduce : Shader::k_reduce_int;
  Dispatch& dispatch = dispatches.Add(shader, GroupThreads(quads, threads));
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Specialise(KindOf(attrs.kind));
  dispatch.Specialise(static_cast<uint32_t>(threads));
  dispatch.Specialise(axes.rows ? 1 : 0);
  ReducePush push{};
  push.quads = static_cast<uint>(quads);
  push.out_quads = static_cast<uint>(rows.quads);
  push.out_columns = static_cast<uint>(rows.columns);
  push.columns = static_cast<uint>(axes.row_elements);
  push.elements = static_cast<uint>(in.shape.num_elements() / out.shape.num_elements());
  push.positions = static_cast<uint>(positions);
  int64_t rest = threads;
  for (int i = 0; i < kDigits; ++i) {
    push.kept[i] = static_cast<uint>(axes.kept.extents[i]);
    push.kept_stride[i] = static_cast<uint>(axes.kept.strides[i]);
    push.reduced[i] = static_cast<uint>(axes.reduced.extents[i]);
    push.stride[i] = static_cast<uint>(axes.reduced.strides[i]);
    push.advance[i] = static_cast<uint>(i == kDigits - 1 ? rest : rest % axes.reduced.extents[i]);
    rest /= axes.reduced.extents[i];
  }
  dispatch.Push(push);
}

}  // namespace

const OpLowering kReduceLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
