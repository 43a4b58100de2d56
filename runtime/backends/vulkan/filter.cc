// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/filter.h"
#include "runtime/backends/vulkan/pack_rows4.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/abi/filter.h"

namespace linnet::vulkan {
namespace {

constexpr int kBlock = 16;  // floats of a cache line
constexpr int64_t kPanel = int64_t{4} * LINNET_FILTER_PANEL;
static_assert(kPanel % kBlock == 0);

// Writes input channels [k, k + kBlock) of one tap for output channels [o, o + kBlock) to rows of
// `row` floats. The weights are read and the rows written in whole lines, since `rows` may be
// memory that wants that.
void PackBlock(const Filter& filter, const float* weights, int64_t tap, int64_t k, int64_t o,
               int64_t row, Layout layout, std::byte* rows) {
  const int64_t group_outputs = filter.outputs / filter.groups;
  const int64_t channels = std::min<int64_t>(kBlock, filter.depth * 4 - k);
  const int64_t columns = std::min<int64_t>(kBlock, filter.out_quads() * 4 - o);
  float block[kBlock][kBlock] = {};
  for (int64_t j = 0; j < columns && o + j < filter.outputs; ++j) {
    const int64_t output = o + j, group = output / group_outputs;
    const float* from = weights + (output * filter.taps + tap) * filter.inputs;
    // The channel of its group that the block's first channel is.
    const int64_t shift = filter.FirstQuad(output / 4) * 4 + k - group * filter.inputs;
    const int64_t end = std::min(channels, filter.inputs - shift);
    for (int64_t i = std::max<int64_t>(0, -shift); i < end; ++i) block[i][j] = from[shift + i];
  }
  for (int64_t i = 0; i < channels; ++i)
    PackFloats(layout, block[i], columns, rows + i * row * FloatBytes(layout));
}

}  // namespace

Filter MakeFilter(int64_t outputs, int64_t taps, int64_t inputs, int64_t groups) {
  Filter filter = {outputs, taps, inputs, groups};
  filter.depth = filter.in_quads();
  if (groups == 1 || outputs == 0) return filter;
  // The channels of the groups that four outputs belong to.
  const int64_t group_outputs = outputs / groups;
  int64_t most = 0;
  for (int64_t first = 0; first < outputs; first += 4) {
    const int64_t last = std::min(first + 4, outputs) - 1;
    const int64_t begin = first / group_outputs * inputs / 4;
    const int64_t end = ((last / group_outputs + 1) * inputs + 3) / 4;
    most = std::max(most, end - begin);
  }
  filter.depth = most;
  return filter;
}

int64_t Filter::FirstQuad(int64_t out_quad) const {
  if (groups == 1) return 0;
  return std::min(out_quad * 4 / (outputs / groups) * inputs / 4, in_quads() - depth);
}

int64_t PackedFilterBytes(const Filter& filter, Layout layout) {
  return (filter.terms() + 1) * filter.out_quads() * 4 * FloatBytes(layout);
}

void PackRow(const float* values, int64_t count, Layout layout, std::byte* to) {
  const int64_t padded = (count + 3) / 4 * 4, bytes = FloatBytes(layout);
  if (values == nullptr) count = 0;
  if (count > 0) PackFloats(layout, values, count, to);
  std::memset(to + count * bytes, 0, static_cast<size_t>((padded - count) * bytes));
}

void PackFilter(const Filter& filter, const float* weights, const float* bias, Layout layout,
                std::byte* to) {
  const int64_t outputs = filter.out_quads() * 4, depth = filter.depth * 4;
  const int64_t bytes = FloatBytes(layout);
  for (int64_t first = 0; first < outputs; first += kPanel) {
    const int64_t row = std::min(kPanel, outputs - first);
    for (int64_t tap = 0; tap < filter.taps; ++tap) {
      for (int64_t k = 0; k < depth; k += kBlock) {
        for (int64_t o = 0; o < row; o += kBlock)
          PackBlock(filter, weights, tap, k, first + o, row, layout,
                    to + ((tap * depth + k) * row + o) * bytes);
      }
    }
    to += filter.terms() * row * bytes;
  }
  PackRow(bias, filter.outputs, layout, to);
}

const char* WhyNotRead(const OpInstance& op) {
  // Only its own form is packed of an op's constants.
  if (op.inputs[0].is_constant) return "input 0 is constant";
  // Sums without terms: a window of a buffer cannot be empty.
  const bool empty = op.input(0).shape.num_elements() == 0;
  return empty && op.output(0).shape.num_elements() > 0 ? "input 0 is empty" : nullptr;
}

const char* WhyNotPacked(const OpInstance& op) {
  if (const char* reason = WhyNotRead(op)) return reason;
  if (!op.inputs[1].is_constant) return "the filter is not constant";
  if (op.num_inputs() > 2 && !op.inputs[2].is_constant) return "the bias is not constant";
  return nullptr;
}

bool ReachFits(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_before,
               int64_t pad_after) {
  constexpr int64_t kLimit = int64_t{1} << 30;
  if (in > kLimit || kernel > kLimit) return false;
  return in + pad_before + pad_after + stride + kernel * dilation < kLimit;
}

}  // namespace linnet::vulkan
