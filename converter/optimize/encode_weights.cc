// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/encode_weights.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "converter/graph/structured_node.h"
#include "runtime/core/half.h"

namespace linnet::converter {
namespace {

// Below this a constant costs less than what its rounding could spoil (a scale, an epsilon).
constexpr int64_t kMinElements = 16;
constexpr float kHalfOverflow = 65520.0f;  // the smallest that rounds to infinity

bool ReadByOp(const Node& node) {
  return std::ranges::any_of(node.out_edges(), [](const Edge* edge) {
    return !edge->IsControlEdge() && edge->dst->node_class() == NodeClass::kOp;
  });
}

// Nothing when a value does not fit.
std::optional<Constant> Halve(const Constant& constant) {
  const Constant plain = constant.Plain();
  const auto values = plain.as<float>();
  for (const float value : values)
    if (!(std::fabs(value) < kHalfOverflow)) return std::nullopt;  // NaN too
  std::vector<uint16_t> halves(values.size());
  std::ranges::transform(values, halves.begin(), FloatToHalf);
  Constant encoded = Constant::Of<uint16_t>(constant.type.shape, std::move(halves));
  encoded.type = constant.type;
  encoded.encoding = schema::Encoding::Float16;
  return encoded;
}

}  // namespace

int HalveWeights(Graph& graph) {
  int changed = 0;
  for (Node* node : graph.op_nodes()) {
    if (!node->IsConstant()) continue;
    const Constant& constant = node->constant();
    if (constant.type.dtype != DType::kFloat32 || constant.encoding != schema::Encoding::Plain ||
        constant.type.shape.num_elements() < kMinElements || !ReadByOp(*node))
      continue;
    std::optional<Constant> halves = Halve(constant);
    if (!halves.has_value()) continue;
    node->set_constant(*std::move(halves));
    ++changed;
  }
  for (const Node* node : StructuredNodes(graph))
    for (const auto& region : node->regions()) changed += HalveWeights(*region);
  return changed;
}

int DecodeWeights(Graph& graph) {
  int changed = 0;
  for (Node* node : graph.op_nodes()) {
    if (!node->IsConstant() || node->constant().encoding == schema::Encoding::Plain) continue;
    node->set_constant(node->constant().Plain());
    ++changed;
  }
  for (const Node* node : StructuredNodes(graph))
    for (const auto& region : node->regions()) changed += DecodeWeights(*region);
  return changed;
}

}  // namespace linnet::converter
