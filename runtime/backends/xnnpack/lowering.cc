// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {

const Lowering* FindLowering(OpKind kind) {
  switch (kind) {
    case OpKind::kConv2D:
      return &kConv2DLowering;
    case OpKind::kDepthwiseConv2D:
      return &kDepthwiseConv2DLowering;
    case OpKind::kTransposeConv2D:
      return &kTransposeConv2DLowering;
    case OpKind::kFullyConnected:
      return &kFullyConnectedLowering;
    case OpKind::kPool2D:
      return &kPool2DLowering;
    case OpKind::kUnary:
      return &kUnaryLowering;
    case OpKind::kBinary:
      return &kBinaryLowering;
    case OpKind::kClamp:
      return &kClampLowering;
    case OpKind::kPrelu:
      return &kPreluLowering;
    case OpKind::kSoftmax:
      return &kSoftmaxLowering;
    case OpKind::kResize:
      return &kResizeLowering;
    case OpKind::kPad:
      return &kPadLowering;
    case OpKind::kDepthToSpace:
      return &kDepthToSpaceLowering;
    case OpKind::kSpaceToDepth:
      return &kSpaceToDepthLowering;
    case OpKind::kReduce:
      return &kReduceLowering;
    case OpKind::kTranspose:
      return &kTransposeLowering;
    case OpKind::kBatchMatMul:
      return &kBatchMatMulLowering;
    default:
      return nullptr;
  }
}

}  // namespace linnet::xnnpack
