// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "runtime/backends/xnnpack/xnn.h"

// An operator cut into parts that are operators of their own, so that threads which XNNPACK does
// not know can share its work. Together they give the bits that the whole one gives: a part is a
// range of rows, of channels or of elements, never of a sum.
//
//   CuttingOf(x, wanted)     how x is cut in at most `wanted` parts; one part where it cannot be
//   Cut(x, cutting, part)    what part `part` is, and where its data begin
//
// Packages that keep packed weights once per plan cannot pack parts of a filter: there only rows
// and elements are cut.
namespace linnet::xnnpack::xnn {

struct Cutting {
  int parts = 1;
  bool by_channels = false;  // where there is a choice
};

// Floats between the whole operator's data and the part's.
struct Offsets {
  size_t input = 0, input2 = 0, output = 0;
};

template <typename Params>
struct Part {
  Params params;
  Offsets offsets;
};

// Operators that run whole.
template <typename Params>
Cutting CuttingOf(const Params&, int) {
  return {};
}
template <typename Params>
Part<Params> Cut(const Params& whole, Cutting, int) {
  return {whole, {}};
}

#define LINNET_XNN_CUTS(Params)                       \
  Cutting CuttingOf(const Params& whole, int wanted); \
  Part<Params> Cut(const Params& whole, Cutting cutting, int part)
LINNET_XNN_CUTS(Convolution);
LINNET_XNN_CUTS(Deconvolution);
LINNET_XNN_CUTS(FullyConnected);
LINNET_XNN_CUTS(Pool);
LINNET_XNN_CUTS(Unary);
LINNET_XNN_CUTS(Binary);
LINNET_XNN_CUTS(ChannelPrelu);
LINNET_XNN_CUTS(Softmax);
LINNET_XNN_CUTS(ResizeBilinear);
LINNET_XNN_CUTS(DepthToSpace);
LINNET_XNN_CUTS(SpaceToDepth);
LINNET_XNN_CUTS(Reduce);
LINNET_XNN_CUTS(BatchMatMul);
#undef LINNET_XNN_CUTS

}  // namespace linnet::xnnpack::xnn
