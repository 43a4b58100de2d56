// SPDX-License-Identifier: Apache-2.0
// Where a filter that runtime/backends/vulkan/filter.h packed has its quads: those of output quad q for the terms 0, 1, ... of its
// sums at FilterStart(q, terms), and each FilterStep(q, out_quads) further. The bias is at FilterBias(q, terms, out_quads).
#include "../abi/filter.h"

const uint kPanel = LINNET_FILTER_PANEL;

uint FilterStart(uint quad, uint terms) {
  const uint first = quad / kPanel * kPanel;
  return first * terms + quad - first;
}
uint FilterStep(uint quad, uint out_quads) { return min(kPanel, out_quads - quad / kPanel * kPanel); }
uint FilterBias(uint quad, uint terms, uint out_quads) { return terms * out_quads + quad; }
