// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// The legaliser brackets NCHW convolutions and pools with Transposes. This pass moves a Transpose
// that follows an op downwards, through everything that does not care about the order of
// dimensions, until it meets its inverse and both vanish:
//   op(Transpose(x))                   =>  Transpose(op(x))         Unary, Clamp, Cast
//   op(Transpose(x), Transpose(y), c)  =>  Transpose(op(x, y, c'))  Binary, Compare, Select, Prelu,
//                                                                   Concat
//   Pad, Slice, Reduce, Tile           =>  the same with attributes permuted
// Constants are transposed instead. A Transpose moves only if all of its readers can take it (or
// are Transposes themselves, which merge), so the number of Transposes on any path never grows.
absl::StatusOr<int> NchwToNhwc(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
