// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace linnet {

// Reads tests/golden/plans/<name>.linnet. The converter wrote these plans once, so the runtime can
// be tested without the converter. tests/plans/golden_plans.cc shows how they are made.
const std::vector<std::byte>& GoldenPlan(const char* name);

// Some of everything: inputs "x" f32[1,6,6,3] and "index" i32[2]; a convolution with f16 weights,
// pooling, a fully connected layer, softmax -> output "probabilities" f32[1,5]; a Gather by "index"
// -> output "picked" f32[2,4]; a state "sum" to which "picked" is added.
inline const std::vector<std::byte>& SmallPlan() { return GoldenPlan("small"); }

// Inputs "x" f32[3] and "index" i32[1]. The state "sum", initially 1, 2, 3, grows by x; the state
// "last" is the x of the previous run. Outputs "sum" (the new value), "last" (the old value) and
// "picked": sum[index].
inline const std::vector<std::byte>& SumPlan() { return GoldenPlan("sum"); }

// Extents that vary. Inputs "x" f32[n,3] with n in [1,8] and "keep" bool[8]. Outputs "sum"
// f32[n,3]: x + (-11,3,-6); "padded" f32[8,3]: x with zeros behind it; "found" i64[m,1]: where keep
// is true; "rows" i32[2]: the shape of sum.
inline const std::vector<std::byte>& VaryingPlan() { return GoldenPlan("varying"); }

// Windows whose margins follow from extents that vary. Input "x" f32[1,h,w,2] with h in [1,9] and w
// in [1,12]. Outputs "joined" f32[1,ceil(h/2),ceil(w/2),6]: a convolution and a maximum, with
// stride 2; "each" f32[1,ceil(h/6),ceil(w/6),6]: a depthwise convolution of that, with stride 3.
inline const std::vector<std::byte>& PicturesPlan() { return GoldenPlan("pictures"); }

// Inputs "in0" f32[3], y, and "in1" f32[], a limit. While sum(y) < limit: y = 2 y, n = n + 1.
// Outputs n i32[], y.
inline const std::vector<std::byte>& LoopPlan() { return GoldenPlan("loop"); }

// Input "in0" f32[1,40,40,24]; every step is large enough for several threads.
inline const std::vector<std::byte>& LargePlan() { return GoldenPlan("large"); }

// Weights in panels, of halves and of floats: input "x" f32[1,4,5,16], a convolution, a product ->
// output "y" f32[1,4,5,48].
inline const std::vector<std::byte>& PanelsPlan() { return GoldenPlan("panels"); }

// Steps that run together in strips: input "x" f32[1,16,24,2], a convolution to 96 channels, a
// depthwise one, a product back to 2 channels, and + x -> output "y" f32[1,16,24,2].
inline const std::vector<std::byte>& StripsPlan() { return GoldenPlan("strips"); }

}  // namespace linnet
