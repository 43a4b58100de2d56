// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "runtime/backends/xnnpack/xnn.h"

// Cuts an operator into parts that are operators of their own, so that threads which XNNPACK does
// not know can share its work. The parts together give the same bits as the whole operator: a part
// is a range of rows, channels or elements of the output, and no sum is split.
//
// 2024 keeps packed weights once per plan and cannot pack parts of a filter, so there only rows and
// elements are cut.
namespace linnet::xnnpack::xnn {

// No part of a product has fewer rows. A single row has kernels of its own, and those for ARM add
// in another order than the kernels for more rows.
#if defined(__aarch64__) || defined(__arm__)
inline constexpr size_t kRowTile = 2;
#else
inline constexpr size_t kRowTile = 1;
#endif

struct Cutting {
  int parts = 1;
  bool by_channels = false;  // for operators that can also be cut by rows
};

// Where the data of a part begin, in floats from the beginning of the whole operator's.
struct Offsets {
  size_t input = 0, input2 = 0, output = 0;
};

struct Part {
  Params params;
  Offsets offsets;
};

// How to cut `whole` into at most `wanted` parts; one part where it cannot be cut.
Cutting CuttingOf(const Params& whole, int wanted);
// Part number `part` of a cutting that CuttingOf gave for `whole`.
Part Cut(const Params& whole, Cutting cutting, int part);

}  // namespace linnet::xnnpack::xnn
