// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/graph/graph.h"

// Finds what is repeated along a dimension, as tf.repeat does, and so need not be.
namespace linnet::converter {

// Are the extents equal in every run?
bool SameExtents(const Graph& graph, const SymbolicShapes::Extents& a,
                 const SymbolicShapes::Extents& b);

// A value, to be reshaped to `shape` unless it has that; then no extent varies.
struct Shaped {
  Output value;
  Shape shape;
};
inline Shaped AsItIs(Output value) { return {value, value.node->type(value.index).shape}; }

// x, where `value` has each index of dimension `d` of x several times in a row, as tf.repeat makes
// them; else `value`.
Shaped WithoutRepeats(const Graph& graph, Output value, size_t d);

}  // namespace linnet::converter
