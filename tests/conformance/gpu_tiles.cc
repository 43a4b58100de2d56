// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_HAS_VULKAN
#include "tests/conformance/gpu_tiles.h"

#include <algorithm>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/support.h"

namespace linnet::conformance {

bool AreAlike(const OpInstance& op, Layout layout, const vulkan::Tiles& a, const vulkan::Tiles& b) {
  bool alike = true;
  for (const int64_t scratch_bytes : {int64_t{0}, vulkan::ScratchBytes(op, layout)}) {
    vulkan::Dispatches x(a), y(b);
    vulkan::LowerStep(op, layout, scratch_bytes, x);
    vulkan::LowerStep(op, layout, scratch_bytes, y);
    alike &= x.size() == y.size();
    for (int i = 0; i < x.size() && alike; ++i)
      alike = x[i].shader == y[i].shader && x[i].threads == y[i].threads &&
              std::equal(x[i].constants, x[i].constants + vulkan::kMaxConstants, y[i].constants);
  }
  return alike;
}

bool HasNativeShader(const OpInstance& op) {
  for (const TensorType& output : op.outputs)
    if (output.shape.num_elements() == 0) return false;
  for (const vulkan::Tiles& tiles : kAllTiles) {
    vulkan::Dispatches dispatches(tiles);
    vulkan::LowerStep(op, Layout::kRows4Half, /*scratch_bytes=*/0, dispatches);
    for (int i = 0; i < dispatches.size(); ++i)
      if (dispatches[i].mode == vulkan::ShaderMode::k_f16p &&
          !vulkan::PackedSpirvOf(dispatches[i].shader, vulkan::ShaderMode::k_f16a).empty())
        return true;
  }
  return false;
}

}  // namespace linnet::conformance
#endif  // LINNET_HAS_VULKAN
