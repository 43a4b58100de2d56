// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/depth_to_space.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::DepthToSpace Describe(const OpInstance& op) {
  return {.input = ImageOf(op.input(0)),
          .block = static_cast<uint32_t>(op.as<DepthToSpaceAttrs>().block)};
}

}  // namespace

const Lowering kDepthToSpaceLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
