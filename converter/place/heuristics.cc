// SPDX-License-Identifier: Apache-2.0
#include "converter/place/heuristics.h"

#include "converter/graph/tensorflow/dtypes.h"

namespace linnet::converter {

bool IsGenerator(const Node& node) {
  if (node.IsConstant()) return true;
  if (node.node_class() == NodeClass::kArg || node.num_inputs() > 0) return false;
  if (node.node_class() == NodeClass::kOp) return node.num_outputs() == 1;
  return node.tf_output_types().size() == 1 && !IsRefType(node.tf_output_types()[0]);
}

int DeviceOfReaders(const Node& node, std::span<const int> placed) {
  int device = -1;
  for (const Edge* edge : node.out_edges()) {
    if (!edge->dst->IsOp()) continue;
    const int other = placed[edge->dst->id()];
    if (other < 0 || (device >= 0 && device != other)) return -1;
    device = other;
  }
  return device;
}

bool IsMetadata(const Node& node) { return node.node_class() == NodeClass::kMetadata; }

int DeviceOfInput(const Node& node, std::span<const int> placed) {
  if (node.num_inputs() == 0 || !node.input(0)) return -1;
  return placed[node.input(0).node->id()];
}

}  // namespace linnet::converter
