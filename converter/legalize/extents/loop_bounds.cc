// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/extents/loop_bounds.h"

#include <algorithm>
#include <limits>

#include "converter/graph/structured_node.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

using schema::CompareKind;

constexpr int64_t kMin = std::numeric_limits<int32_t>::min();
constexpr int64_t kMax = std::numeric_limits<int32_t>::max();

class Reader {
 public:
  explicit Reader(const Graph& condition) : arguments_(RegionArguments(condition)) {}

  void Read(Output truth) {
    const Node& node = *truth.node;
    if (node.Is<BinaryAttrs>() &&
        node.attrs<BinaryAttrs>().kind == schema::BinaryKind::LogicalAnd) {
      Read(node.input(0));
      Read(node.input(1));
    } else if (node.Is<CompareAttrs>()) {
      ReadComparison(node.attrs<CompareAttrs>().kind, node.input(0), node.input(1));
    }
  }

  std::map<int, IntegerBounds::Bounds> bounds;

 private:
  void ReadComparison(CompareKind kind, Output a, Output b) {
    if (kind == CompareKind::Less) return Below(a, b, 1);
    if (kind == CompareKind::LessEqual) return Below(a, b, 0);
    if (kind == CompareKind::Greater) return Below(b, a, 1);
    if (kind == CompareKind::GreaterEqual) return Below(b, a, 0);
  }

  // Takes the bound that follows from `small + distance <= large`, where `small` is an argument and
  // `large` a constant.
  void Below(Output small, Output large, int64_t distance) {
    const auto argument = std::ranges::find(arguments_, small.node);
    if (argument == arguments_.end() || !large.node->IsConstant()) return;
    const TensorType wanted = {DType::kInt32, Shape{}};
    if (small.node->type() != wanted || large.node->type() != wanted) return;
    const int64_t most = large.node->constant().ToInt64()[0] - distance;
    const auto index = static_cast<int>(argument - arguments_.begin());
    auto& known = bounds.try_emplace(index, IntegerBounds::Bounds{kMin, kMax}).first->second;
    known.max = std::clamp(most, kMin, known.max);
  }

  std::vector<Node*> arguments_;
};

}  // namespace

std::map<int, IntegerBounds::Bounds> BoundsInBody(const Graph& condition) {
  Reader reader(condition);
  reader.Read(RegionResults(condition)[0]);
  return std::move(reader.bounds);
}

}  // namespace linnet::converter
