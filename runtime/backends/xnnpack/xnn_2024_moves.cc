// SPDX-License-Identifier: Apache-2.0
// xnn.h on the interface of 2024-11: the operators that only move elements.
#include "runtime/backends/xnnpack/xnn.h"

namespace linnet::xnnpack::xnn {
namespace {

// Reshape functions tell the output's extents, which the shape rules have fixed already.
struct Unread {
  size_t height, width, channels;
};

}  // namespace

// ---- Pad

xnn_status Create(const ConstantPad& pad, WeightsCache, Operator* op) {
  return xnn_create_constant_pad_nd_x32(&pad.value, /*flags=*/0, &op->op);
}

xnn_status Reshape(const ConstantPad& pad, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes) {
  *workspace_bytes = 0;
  return xnn_reshape_constant_pad_nd_x32(op.op, pad.input.rank, pad.input.extents, pad.before,
                                         pad.after, pool);
}

xnn_status Setup(const ConstantPad&, const Operator& op, const Addresses& at, pthreadpool_t) {
  return xnn_setup_constant_pad_nd_x32(op.op, at.input, at.output);
}

// ---- DepthToSpace, SpaceToDepth

xnn_status Create(const DepthToSpace& d2s, WeightsCache, Operator* op) {
  return xnn_create_depth_to_space_nhwc_x32(d2s.block, /*flags=*/0, &op->op);
}

xnn_status Reshape(const DepthToSpace& d2s, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes) {
  *workspace_bytes = 0;
  Unread unread;
  return xnn_reshape_depth_to_space_nhwc_x32(op.op, d2s.input.batch, d2s.input.height,
                                             d2s.input.width, d2s.input.channels, &unread.height,
                                             &unread.width, &unread.channels, pool);
}

xnn_status Setup(const DepthToSpace&, const Operator& op, const Addresses& at, pthreadpool_t) {
  return xnn_setup_depth_to_space_nhwc_x32(op.op, at.input, at.output);
}

xnn_status Create(const SpaceToDepth& s2d, WeightsCache, Operator* op) {
  return xnn_create_space_to_depth_nhwc_x32(s2d.block, /*flags=*/0, &op->op);
}

xnn_status Reshape(const SpaceToDepth& s2d, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes) {
  *workspace_bytes = 0;
  Unread unread;
  return xnn_reshape_space_to_depth_nhwc_x32(op.op, s2d.input.batch, s2d.input.height,
                                             s2d.input.width, s2d.input.channels, &unread.height,
                                             &unread.width, &unread.channels, pool);
}

xnn_status Setup(const SpaceToDepth&, const Operator& op, const Addresses& at, pthreadpool_t) {
  return xnn_setup_space_to_depth_nhwc_x32(op.op, at.input, at.output);
}

// ---- Transpose

xnn_status Create(const Transpose&, WeightsCache, Operator* op) {
  return xnn_create_transpose_nd_x32(/*flags=*/0, &op->op);
}

xnn_status Reshape(const Transpose& transpose, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes) {
  *workspace_bytes = 0;
  return xnn_reshape_transpose_nd_x32(op.op, transpose.input.rank, transpose.input.extents,
                                      transpose.perm, pool);
}

xnn_status Setup(const Transpose&, const Operator& op, const Addresses& at, pthreadpool_t) {
  return xnn_setup_transpose_nd_x32(op.op, at.input, at.output);
}

}  // namespace linnet::xnnpack::xnn
