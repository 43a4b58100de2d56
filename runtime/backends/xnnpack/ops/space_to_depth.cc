// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/space_to_depth.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::SpaceToDepth Describe(const OpInstance& op) {
  return {.input = ImageOf(op.input(0)),
          .block = static_cast<uint32_t>(op.as<SpaceToDepthAttrs>().block)};
}

}  // namespace

const Lowering kSpaceToDepthLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
