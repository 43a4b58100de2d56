// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_HAS_VULKAN
#include "tests/conformance/gpu_tiles.h"

#include <algorithm>

#include "runtime/backends/vulkan/lowering.h"

namespace linnet::conformance {

bool AreAlike(const OpInstance& op, const vulkan::Tiles& a, const vulkan::Tiles& b) {
  vulkan::Dispatches x(a), y(b);
  vulkan::FindLowering(op.kind)->lower(op, x);
  vulkan::FindLowering(op.kind)->lower(op, y);
  bool alike = x.size() == y.size();
  for (int i = 0; i < x.size() && alike; ++i)
    alike = x[i].shader == y[i].shader && x[i].threads == y[i].threads &&
            std::equal(x[i].constants, x[i].constants + vulkan::kMaxConstants, y[i].constants);
  return alike;
}

bool HasNativeShader(const OpInstance& op) {
  for (const TensorType& output : op.outputs)
    if (output.shape.num_elements() == 0) return false;
  for (const vulkan::Tiles& tiles : kAllTiles) {
    vulkan::Dispatches dispatches(tiles);
    vulkan::LowerStep(op, Layout::kRows4Half, dispatches);
    for (int i = 0; i < dispatches.size(); ++i)
      if (dispatches[i].mode == vulkan::ShaderMode::k_f16p &&
          !vulkan::PackedSpirvOf(dispatches[i].shader, vulkan::ShaderMode::k_f16a).empty())
        return true;
  }
  return false;
}

}  // namespace linnet::conformance
#endif  // LINNET_HAS_VULKAN
