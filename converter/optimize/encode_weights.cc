// SPDX-License-Identifier: Apache-2.0
#include "converter/optimize/encode_weights.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "converter/graph/structured_node.h"
#include "runtime/core/half.h"

namespace linnet::converter {
namespace {

// Rounding a smaller constant (a scale, an epsilon) could cost accuracy and saves next to nothing.
constexpr int64_t kMinElements = 16;
constexpr float kHalfOverflow = 65520.0f;  // the smallest that rounds to infinity

bool ReadByOp(const Node& node) {
  return std::ranges::any_of(node.out_edges(), [](const Edge* edge) {
    return !edge->IsControlEdge() && edge->dst->node_class() == NodeClass::kOp;
  });
}

// The constant of `node` as binary16; nothing when it is to be left alone.
std::optional<Constant> Halve(const Node& node) {
  const Constant& constant = node.constant();
  if (constant.type.dtype != DType::kFloat32 || constant.encoding != schema::Encoding::Plain ||
      constant.type.shape.num_elements() < kMinElements || !ReadByOp(node))
    return std::nullopt;
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

std::optional<Constant> Decode(const Node& node) {
  if (node.constant().encoding == schema::Encoding::Plain) return std::nullopt;
  return node.constant().Plain();
}

// Gives every constant for which `encode` returns another one that value.
int ReplaceConstants(Graph& graph, std::optional<Constant> (*encode)(const Node& node)) {
  int changed = 0;
  for (Node* node : graph.op_nodes()) {
    std::optional<Constant> value = node->IsConstant() ? encode(*node) : std::nullopt;
    if (!value.has_value()) continue;
    node->set_constant(*std::move(value));
    ++changed;
  }
  for (const Node* node : StructuredNodes(graph))
    for (const auto& region : node->regions()) changed += ReplaceConstants(*region, encode);
  return changed;
}

}  // namespace

int HalveWeights(Graph& graph) { return ReplaceConstants(graph, Halve); }

int DecodeWeights(Graph& graph) { return ReplaceConstants(graph, Decode); }

}  // namespace linnet::converter
