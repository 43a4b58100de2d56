// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/broadcast.h"

namespace linnet::vulkan {
namespace {

constexpr int kInputs = 3;

// A dimension of the output, in quads, and how many quads of each input a step along it is.
struct Dim {
  int64_t extent = 1;
  int64_t stride[kInputs] = {};
};

// True when a step along `outer` is as long as all of `inner`, in each input.
bool Joins(const Dim& outer, const Dim& inner) {
  for (int k = 0; k < kInputs; ++k)
    if (outer.stride[k] != inner.extent * inner.stride[k]) return false;
  return true;
}

// Dimension `axis` of an output of rank `rank`; the last one is a row.
Dim DimOf(const OpInstance& op, int axis) {
  const Shape& out = op.output(0).shape;
  const bool is_row = axis == out.rank() - 1;
  Dim dim{.extent = is_row ? RowsOf(op.output(0)).quads : out[axis]};
  for (int k = 0; k < op.num_inputs(); ++k) {
    const Shape& in = op.input(k).shape;
    const int at = axis - (out.rank() - in.rank());
    if (at < 0 || (in[at] == 1 && out[axis] != 1)) continue;
    dim.stride[k] = is_row ? 1 : RowsOf(op.input(k)).quads * in.Product(at + 1, in.rank() - 1);
  }
  return dim;
}

}  // namespace

const char* PlanBroadcast(const OpInstance& op, Broadcast* broadcast) {
  const TensorType& out = op.output(0);
  Dim dims[kMaxRank];
  int count = 0;
  for (int axis = 0; axis < out.shape.rank(); ++axis) {
    Dim dim = DimOf(op, axis);
    if (dim.extent == 1) continue;
    if (count > 0 && Joins(dims[count - 1], dim)) {
      dim.extent *= dims[count - 1].extent;
      --count;
    }
    dims[count++] = dim;
  }
  if (count == 0) dims[count++] = Dim();
  if (count > kMaxShaderRank) return "more than 6 dimensions that cannot be merged";
  const Rows rows = RowsOf(out);
  BinaryPush& push = broadcast->push;
  push.quads = static_cast<uint>(rows.count * rows.quads);
  push.row_quads = static_cast<uint>(rows.quads);
  push.columns = static_cast<uint>(rows.columns);
  for (int i = 0; i < count; ++i) {
    const Dim& dim = dims[count - 1 - i];
    push.extent[i] = static_cast<uint>(dim.extent);
    push.a[i] = static_cast<uint>(dim.stride[0]);
    push.b[i] = static_cast<uint>(dim.stride[1]);
    push.c[i] = static_cast<uint>(dim.stride[2]);
  }
  broadcast->rank = static_cast<uint>(count);
  for (int k = 0; k < op.num_inputs(); ++k) {
    if (rows.columns > 1 && RowsOf(op.input(k)).columns == 1) broadcast->splat |= 1u << k;
  }
  return nullptr;
}

const char* WhyNotBroadcast(const OpInstance& op) {
  Broadcast broadcast;
  return op.output(0).shape.num_elements() == 0 ? nullptr : PlanBroadcast(op, &broadcast);
}

void AddBroadcast(Shader shader, const OpInstance& op, uint kind, const OutputRange& range,
                  Dispatches& dispatches) {
  Broadcast broadcast;
  PlanBroadcast(op, &broadcast);
  broadcast.push.min = range.min;
  broadcast.push.max = range.max;
  Dispatch& dispatch = dispatches.Add(shader, broadcast.push.quads);
  for (int k = 0; k < op.num_inputs(); ++k) dispatch.Bind(Input(k));
  dispatch.Bind(Output(0));
  dispatch.Specialise(kind);
  dispatch.Specialise(broadcast.rank);
  dispatch.Specialise(broadcast.splat);
  dispatch.Specialise(op.output(0).dtype == DType::kUint8 ? 1 : 0);
  dispatch.Push(broadcast.push);
}

}  // namespace linnet::vulkan
