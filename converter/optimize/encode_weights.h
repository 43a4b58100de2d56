// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"

namespace linnet::converter {

// Both change the constants of the graph and of its regions, and return how many they changed.

// Rounds plain f32 constants that ops read to binary16 in the file (their type stays f32). Left
// alone are constants with fewer than 16 elements, with an element that is not finite or would
// overflow, and those that are encoded already.
int HalveWeights(Graph& graph);

// Decodes every encoded constant to plain f32.
int DecodeWeights(Graph& graph);

}  // namespace linnet::converter
