// SPDX-License-Identifier: Apache-2.0
// Conv2D, FullyConnected  =>  the same {halves: true}: CPUs that can multiply and add them in
// binary16. Only with --cpu-precision f16. For constant filters that are one matrix, where
// Winograd's method does not multiply less, and for more rows than kMostEncodedRows: fewer take as
// long as their weights take to come from memory, and sums in f32 cost nothing then.
#include "converter/pass/passes.h"

#include "converter/graph/algorithm.h"
#include "converter/optimize/match.h"
#include "runtime/core/panels.h"

namespace linnet::converter {
namespace {

bool HasManyRows(const Node& node) {
  const Shape& out = node.type().shape;
  return out.Product(0, out.rank() - 1) > kMostEncodedRows;
}

template <typename Attrs>
bool Choose(Node* node) {
  if (node->attrs<Attrs>().halves || ConstantOf(node->input(1)) == nullptr || !HasManyRows(*node))
    return false;
  node->mutable_attrs<Attrs>().halves = true;
  return true;
}

bool IsOneProduct(const Conv2DAttrs& attrs) { return attrs.groups == 1 && attrs.winograd == 0; }

}  // namespace

absl::StatusOr<int> ChooseHalves(Graph& graph, const PassContext& context) {
  if (context.cpu_precision != CpuPrecision::kF16) return 0;
  int chosen = 0;
  for (Node* node : TopologicalOrder(graph)) {
    if (node->Is<Conv2DAttrs>() && IsOneProduct(node->attrs<Conv2DAttrs>()))
      chosen += Choose<Conv2DAttrs>(node);
    else if (node->Is<FullyConnectedAttrs>())
      chosen += Choose<FullyConnectedAttrs>(node);
  }
  return chosen;
}

}  // namespace linnet::converter
