// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "converter/graph/op_attrs.h"

// Linnet has no complex numbers. A complex tensor is one of pairs (real part, imaginary part), f32,
// which are one more dimension, the last.
namespace linnet::converter {

// The shape that a tensor of pairs has in TensorFlow.
Shape NumbersShape(const Shape& pairs);

// An op with attributes `attrs`, on tensors of numbers, as the op that does the same on tensors of
// pairs: one that moves numbers, or adds them up. Unimplemented for all others, and where pairs
// have too many dimensions.
absl::StatusOr<OpAttrs> OnPairs(OpAttrs attrs);

}  // namespace linnet::converter
