// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Random numbers of a generator that has no state but what is given: Philox4x32-10 (Salmon et al.
// 2011) under a key, i64 [1], from a counter, i64 [2] (its low half first), on. Equal inputs give
// equal numbers, those of TensorFlow's CPU kernels, whatever the number of threads.
//   Uniform: in [0, 1); Normal: mean 0, deviation 1; TruncatedNormal: without what is 2 or more
//     from 0. f32; `dtype` f16, f32 or f64 says which of TensorFlow's types the numbers are drawn
//     as.
//   Integer: any of `dtype`, i32 or i64, or with two more inputs, scalars of it, those from the
//     first to below the second. kBadIndex when there are none.
//   Permutation: 0, 1, .. in any order; `dtype` i32, rank 1.
//   Categorical: one more input, f32 [rows, classes], the logarithms of how often each class comes;
//     what is not finite never does. Classes as `dtype` i64 [rows, any]; the number of classes
//     where there is none to choose.
struct RandomAttrs {
  using Table = schema::RandomAttrs;
  schema::RandomKind kind = schema::RandomKind::Invalid;
  DType dtype = DType::kInvalid;
  Shape shape;  // extent slot i: shape[i]
  friend bool operator==(const RandomAttrs&, const RandomAttrs&) = default;
};

Status Decode(const schema::RandomAttrs& table, RandomAttrs* attrs);
flatbuffers::Offset<schema::RandomAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                const RandomAttrs& attrs);

}  // namespace linnet
