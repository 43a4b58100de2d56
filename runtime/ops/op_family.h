// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace linnet {

// Kinds of ops that a device computes at different rates: device profiles have a rate for each.
enum class OpFamily : uint8_t {
  kProducts,   // convolutions and matrix products, which use each value that they load many times
  kDepthwise,  // depthwise convolutions, which use it a few times
  kOther,
};

// The family of the op with this name ("Conv2D").
constexpr OpFamily FamilyOf(std::string_view op) {
  for (const std::string_view product :
       {"Conv2D", "TransposeConv2D", "FullyConnected", "BatchMatMul", "Attention"})
    if (op == product) return OpFamily::kProducts;
  return op == "DepthwiseConv2D" ? OpFamily::kDepthwise : OpFamily::kOther;
}

}  // namespace linnet
