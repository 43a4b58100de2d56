// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace linnet::vulkan {

// Graphs in text form with the steps of known nets, with weights of no meaning.
// 17 inverted residuals and the classifier, of few channels; or with the extents of the known net.
std::string MobileNetV2Shaped(bool full_size = false);
std::string EncoderShaped();  // two blocks of a transformer with two heads
std::string ResNetShaped();   // two blocks whose convolutions use scratch memory

}  // namespace linnet::vulkan
