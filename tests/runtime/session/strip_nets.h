// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace linnet {

// Small nets whose steps run in strips: between them are maps that are worth it.
struct StripNet {
  std::string name;
  std::string text;
};

// `body` reads x f32[pictures,rows,W,16] and makes y. The maps are wide where they have few rows.
std::string StripNetText(std::string_view body, int pictures, int rows);

// The add of the last of these writes over its residual, which is the input.
extern const char kInvertedResidual[], kTwoConvolutionsAndAdd[];

// All kinds of blocks, for one and three pictures, and for few, odd and even rows.
std::vector<StripNet> AllStripNets();

}  // namespace linnet
