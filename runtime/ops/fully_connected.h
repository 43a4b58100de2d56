// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"
#include "runtime/ops/output_range.h"

namespace linnet {

// out[..., o] = clamp(bias[o] + sum_k x[..., k] * filter[o, k]).
// Inputs: x [..., K] f32, rank >= 1; filter OI = [O, K] f32; bias [O] f32, optional.
struct FullyConnectedAttrs {
  using Table = schema::FullyConnectedAttrs;
  OutputRange range;
  // A CPU with instructions for it may multiply and add in binary16 (kernels/encoded_filter.h).
  bool halves = false;
  friend bool operator==(const FullyConnectedAttrs&, const FullyConnectedAttrs&) = default;
};

Status Decode(const schema::FullyConnectedAttrs& table, FullyConnectedAttrs* attrs);
flatbuffers::Offset<schema::FullyConnectedAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                        const FullyConnectedAttrs& attrs);

}  // namespace linnet
