// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {

// A constant filter and bias as the shaders of convolutions and matrix products read them: panels
// of LINNET_FILTER_PANEL output quads, the last one may have fewer. A panel is quads [tap][input
// channel][output quad], so that adjacent threads, which compute adjacent output quads, read
// adjacent quads, and what they read next follows; the rows of all quads would be a large power of
// two apart in many nets, which caches do not like. Behind the panels is the bias, so that both are
// one operand. Input channels are those of `depth` whole quads of a pixel; what an output's group
// does not read has zeros.
struct Filter {
  int64_t outputs = 0, taps = 1;
  int64_t inputs = 0;  // of a group
  int64_t groups = 1;
  int64_t depth = 0;  // quads of an input pixel that one output quad reads

  int64_t out_quads() const { return (outputs + 3) / 4; }
  int64_t in_quads() const { return (inputs * groups + 3) / 4; }
  int64_t terms() const { return taps * depth * 4; }  // of each output's sum
  // The first quad of a pixel that an output quad reads; conv2d.comp computes it in the same way.
  int64_t FirstQuad(int64_t out_quad) const;
};
Filter MakeFilter(int64_t outputs, int64_t taps, int64_t inputs, int64_t groups = 1);

int64_t PackedFilterBytes(const Filter& filter, Layout layout);
// `weights`: [outputs][taps][inputs]; `bias`: [outputs], or null for zeros.
void PackFilter(const Filter& filter, const float* weights, const float* bias, Layout layout,
                std::byte* to);
// Quads of values [count], padded with zeros; `values` may be null for zeros.
void PackRow(const float* values, int64_t count, Layout layout, std::byte* to);

// Why input 0 cannot be read on the device; nullptr when it can.
const char* WhyNotRead(const OpInstance& op);
// The same, or why inputs 1 (filter) and 2 (bias, if there is one) cannot be packed.
const char* WhyNotPacked(const OpInstance& op);
// The value of input `i`, which is constant; null if there is no such input.
inline const float* FloatsOf(const OpInstance& op, int i) {
  return i < op.num_inputs() ? static_cast<const float*>(op.inputs[i].value) : nullptr;
}

// The bindings of a shader that reads input 0 and Packed() and has an epilogue (abi/epilogue.h).
inline void BindFilter(Dispatch& dispatch) {
  dispatch.Bind(Input(0));
  dispatch.Bind(Packed());
  dispatch.Bind(Output(0));
  // What only an epilogue reads. A binding that the shader names must be something.
  dispatch.Bind(Input(0));
}

// Whether the positions that a window reaches on an axis fit a shader's integers.
bool ReachFits(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_before,
               int64_t pad_after);

}  // namespace linnet::vulkan
