// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace linnet::vulkan {

// Graphs in text form with the steps of known nets, small and with weights of no meaning.
std::string MobileNetV2Shaped();  // 17 inverted residuals of few channels, and the classifier
std::string EncoderShaped();      // two blocks of a transformer with two heads

}  // namespace linnet::vulkan
