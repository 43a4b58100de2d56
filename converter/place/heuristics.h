// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "converter/graph/graph.h"

// TensorFlow's two rules for nodes that cost nothing where they are, but a copy where they are not.
// `placed` has the device of each node id, -1 for none yet.
namespace linnet::converter {

// A node without inputs that makes one value, no reference: as well made where it is read.
bool IsGenerator(const Node& node);
// The device that everything that reads `node` is on; -1 when they differ or nothing reads it.
int DeviceOfReaders(const Node& node, std::span<const int> placed);

// Shape, Size, Rank: they read no values, so they belong where their input is.
bool IsMetadata(const Node& node);
// The device of data input 0; -1 without one.
int DeviceOfInput(const Node& node, std::span<const int> placed);

}  // namespace linnet::converter
