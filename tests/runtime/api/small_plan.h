// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace converter {
class DeviceSet;
class Graph;
struct Partition;
}  // namespace converter

// The bytes of a small plan with a bit of everything: inputs "x" f32[1,6,6,3] and "index" i32[2]; a
// convolution with f16 weights, pooling, a fully connected layer, softmax -> output "probabilities"
// f32[1,5]; a Gather by "index" -> output "picked" f32[2,4]; a state "sum" to which "picked" is
// added; 64-byte aligned when put into an AlignedBytes.
const std::vector<std::byte>& SmallPlan();

// Inputs "x" f32[3] and "index" i32[1]. State "sum", first 1, 2, 3, grows by x; state "last" is the
// x of the run before. Outputs "sum" (the new one), "last" (the old one), "picked": sum[index].
std::vector<std::byte> SumPlan();

// Extents that vary. Inputs "x" f32[n,3] with n in [1,8] and "keep" bool[8]. Outputs "sum"
// f32[n,3]: x + (0,1,2); "padded" f32[8,3]: x with zeros behind it; "found" i64[m,1]: where keep is
// true; "rows" i32[2]: the shape of sum.
const std::vector<std::byte>& VaryingPlan();

// The plan of a graph in text form (converter/graph/README.md). Its arguments are the inputs, its
// results the outputs, called "in0", "out0" and so on.
std::vector<std::byte> TextPlan(std::string_view text);
std::vector<std::byte> GraphPlan(const converter::Graph& graph);
// The same of a placed graph. States begin with zeros.
std::vector<std::byte> GraphPlan(const converter::Graph& graph,
                                 const converter::Partition& partition,
                                 const converter::DeviceSet& devices);

// Inputs "in0" f32[3], y, and "in1" f32[], a limit. While sum(y) < limit: y = 2 y, n = n + 1.
// Outputs n i32[], y.
std::vector<std::byte> LoopPlan();

}  // namespace linnet
