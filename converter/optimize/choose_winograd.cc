// SPDX-License-Identifier: Apache-2.0
// Conv2D  =>  Conv2D {winograd: 2 or 4}, where that is faster by what DirectCost and WinogradCost
// count. For windows of 3 x 3 with strides and dilations 1, one group and a constant filter. Other
// bits: not under strict algebra. Extents that vary count as the largest.
#include "converter/pass/passes.h"

#include <algorithm>
#include <cstdint>

#include "converter/graph/algorithm.h"
#include "converter/optimize/match.h"
#include "runtime/core/checked.h"
#include "runtime/core/winograd.h"

namespace linnet::converter {
namespace {

// Costs in multiply-accumulates of a product in registers, as measured with 16 to 512 channels on a
// Zen 3 (AVX2): a float of the filter that is read from memory while products run, and a value that
// is transformed. The first is twice what one thread alone takes: with it ResNet50 has 116 instead
// of 167 MiB of packed weights, and is 3 % slower on one thread, not at all on two.
constexpr int64_t kFilterFloatCost = 28;
constexpr int64_t kTransformCost = 12;

struct Layer {
  int64_t pixels, height, width;  // of the output; pixels of all pictures
  int64_t inputs, outputs;        // channels

  // Products are made in vectors of columns.
  int64_t columns() const { return AlignUp(outputs, 8); }
};

int64_t DirectCost(const Layer& layer) {
  const int64_t filter = SaturatingMul(kWinogradTaps * layer.inputs, layer.columns());
  return std::max(SaturatingMul(filter, layer.pixels), SaturatingMul(filter, kFilterFloatCost));
}

int64_t WinogradCost(const Layer& layer, int side) {
  const int64_t matrices = WinogradMatrices(side);
  const int64_t pictures = layer.pixels / (layer.height * layer.width);
  const int64_t tiles = pictures * CeilDiv(layer.height, side) * CeilDiv(layer.width, side);
  const int64_t filter = SaturatingMul(matrices * layer.inputs, layer.columns());
  const int64_t values = SaturatingMul(matrices * tiles, layer.inputs + layer.outputs);
  return SaturatingAdd(
      std::max(SaturatingMul(filter, tiles), SaturatingMul(filter, kFilterFloatCost)),
      SaturatingMul(values, kTransformCost));
}

// 0 where the sums of all windows are as fast.
int BestTile(const Layer& layer) {
  const int64_t two = WinogradCost(layer, 2), four = WinogradCost(layer, 4);
  // Half the filter for a tenth of the time.
  const int tile = two <= four / 10 * 11 ? 2 : 4;
  return std::min(two, four) < DirectCost(layer) / 10 * 9 ? tile : 0;
}

}  // namespace

absl::StatusOr<int> ChooseWinograd(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  int chosen = 0;
  for (Node* node : TopologicalOrder(graph)) {
    if (!node->Is<Conv2DAttrs>() || node->attrs<Conv2DAttrs>().winograd != 0) continue;
    const Shape& filter = TypeOf(node->input(1)).shape;
    if (!HasWinogradWindow(node->attrs<Conv2DAttrs>(), filter)) continue;
    if (ConstantOf(node->input(1)) == nullptr) continue;
    const Shape& out = node->type().shape;
    if (out.num_elements() == 0) continue;
    const int tile = BestTile({.pixels = out.Product(0, 3),
                               .height = out[1],
                               .width = out[2],
                               .inputs = TypeOf(node->input(0)).shape.back(),
                               .outputs = out.back()});
    if (tile == 0) continue;
    node->mutable_attrs<Conv2DAttrs>().winograd = tile;
    ++chosen;
  }
  return chosen;
}

}  // namespace linnet::converter
