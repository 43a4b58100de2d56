// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// Random numbers of a stateless generator, Philox4x32-10 (Salmon et al. 2011). Inputs: the key, i64
// [1], and the counter to start from, i64 [2] (low half first). Equal inputs give equal numbers,
// the same as TensorFlow's CPU kernels, for any number of threads.
//   Uniform: in [0, 1). Normal: mean 0, standard deviation 1. TruncatedNormal: only numbers
//     closer to 0 than 2. The output is f32; `dtype` f16, f32 or f64 is the type as which
//     TensorFlow draws the numbers.
//   Integer: any number of `dtype` i32 or i64; with two more inputs, scalars of `dtype`, numbers
//     from the first up to, but not including, the second. A run fails with kBadIndex when there
//     are none.
//   Permutation: the numbers from 0 in random order; `dtype` i32, rank 1.
//   Categorical: another input, f32 [rows, classes], has the logarithms of the classes' weights;
//     classes whose logarithm is not finite are never chosen. The output has classes as `dtype` i64
//     [rows, any], and the number of classes where no class can be chosen.
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
