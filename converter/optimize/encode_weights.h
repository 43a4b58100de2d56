// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"

namespace linnet::converter {

// Rounds plain f32 constants that ops read to binary16 in the file (their type stays f32). Left
// alone: fewer than 16 elements, anything that is not finite or would overflow, and what is encoded
// already. Returns how many constants changed.
int HalveWeights(Graph& graph);

// Decodes every encoded constant to plain f32. Returns how many changed.
int DecodeWeights(Graph& graph);

}  // namespace linnet::converter
