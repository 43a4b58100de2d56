// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/symbolic_shapes.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "converter/graph/graph.h"

namespace linnet::converter {

int SymbolicShapes::AddSymbol(std::string name, int64_t min, int64_t max, Source source) {
  sources_.push_back(source);
  return symbols_.Add(std::move(name), min, max);
}

void SymbolicShapes::SetQuotient(int symbol, const Quotient& is) {
  Quotient reduced = ReducedQuotient(symbols_, is);
  const std::optional<int> same = FindQuotient(symbols_, reduced);
  symbols_.Define(symbol, std::move(reduced));
  if (same && symbols_[symbols_.Root(*same)].max == symbols_[symbol].max)
    symbols_.Merge(*same, symbol);
}

const SymbolicShapes::Source& SymbolicShapes::SourceOfEqual(int symbol) const {
  const int root = symbols_.Root(symbol);
  if (sources_[root].node != nullptr) return sources_[root];
  for (int i = 0; i < symbols_.size(); ++i)
    if (sources_[i].node != nullptr && symbols_.Root(i) == root) return sources_[i];
  return sources_[root];
}

const SymbolicShapes::Extents* SymbolicShapes::Find(const Node* node, int output) const {
  if (extents_.empty()) return nullptr;
  const auto it = extents_.find({node, output});
  return it == extents_.end() ? nullptr : &it->second;
}

void SymbolicShapes::Set(const Node* node, int output, Extents extents) {
  if (AllConstant(extents)) {
    extents_.erase({node, output});
  } else {
    extents_[{node, output}] = std::move(extents);
  }
}

void SymbolicShapes::Forget(const Node* node) {
  ForgetExtents(node);
  for (Source& source : sources_)
    if (source.node == node) source = {};
}

void SymbolicShapes::ForgetExtents(const Node* node) {
  constexpr int kLast = std::numeric_limits<int>::max();
  extents_.erase(extents_.lower_bound({node, 0}), extents_.upper_bound({node, kLast}));
}

void SymbolicShapes::MoveSources(const Output& from, const Output& to) {
  for (Source& source : sources_)
    if (source.node == from.node && source.output == from.index) {
      source.node = to.node;
      source.output = to.index;
    }
}

bool SymbolicShapes::Instance::varies() const {
  return !attrs.varying().empty() ||
         std::ranges::any_of(extents, [](const Extents* e) { return e != nullptr; });
}

}  // namespace linnet::converter
