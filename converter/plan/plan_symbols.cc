// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/plan_symbols.h"

#include <algorithm>

#include "converter/graph/graph.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {

int PlanSymbols::NumberOfSymbol(int root) {
  const auto [it, added] = free_.try_emplace(root, static_cast<int>(symbols_.size()));
  if (added) {
    const SymbolTable::Symbol& symbol = shapes_.symbols()[root];
    symbols_.push_back({symbol.name, symbol.min, symbol.max, 0, {}});
  }
  return it->second;
}

int PlanSymbols::Number(const Extent& extent) {
  const SymbolTable& table = shapes_.symbols();
  const Extent canonical = table.Canonical(extent);
  if (canonical.is_constant()) return -1;
  if (canonical.constant() == 0 && canonical.terms().size() == 1 &&
      canonical.terms()[0].factor == 1)
    return NumberOfSymbol(canonical.terms()[0].symbol);
  const std::string text = table.Text(canonical);
  if (const auto it = derived_.find(text); it != derived_.end()) return it->second;
  const auto bound = [](int64_t x) { return std::clamp<int64_t>(x, 0, kMaxSpaceBytes); };
  Symbol symbol{
      text, bound(table.Min(canonical)), bound(table.Max(canonical)), canonical.constant(), {}};
  for (const Extent::Term& term : canonical.terms())
    symbol.terms.emplace_back(NumberOfSymbol(term.symbol), term.factor);
  const int number = static_cast<int>(symbols_.size());
  symbols_.push_back(std::move(symbol));
  derived_.emplace(text, number);
  return number;
}

std::vector<int> PlanSymbols::Numbers(const Node* node, int output) {
  std::vector<int> numbers;
  if (const SymbolicShapes::Extents* extents = shapes_.Find(node, output))
    for (const Extent& extent : *extents) numbers.push_back(Number(extent));
  return numbers;
}

std::vector<PlanSymbols::AttrExtent> PlanSymbols::AttrExtents(const OpAttrs& attrs) {
  std::vector<AttrExtent> extents;
  for (const OpAttrs::Varying& varying : attrs.varying())
    if (const int symbol = Number(varying.extent); symbol >= 0)
      extents.push_back({varying.slot, symbol});
  return extents;
}

bool PlanSymbols::Reads(const Node* node, int root) const {
  for (const Output input : node->inputs())
    if (const SymbolicShapes::Extents* extents = shapes_.Find(input.node, input.index))
      for (const Extent& extent : *extents)
        for (const Extent::Term& term : extent.terms())
          if (shapes_.symbols().Root(term.symbol) == root) return true;
  return false;
}

std::vector<PlanSymbols::Set> PlanSymbols::Sets(const Node* node) const {
  std::vector<Set> sets;
  for (int i = 0; i < shapes_.symbols().size(); ++i) {
    const SymbolicShapes::Source& source = shapes_.source(i);
    if (source.node != node) continue;
    const auto it = free_.find(shapes_.symbols().Root(i));
    // A symbol that the node reads has been set by another one, to the same value.
    if (it == free_.end() || Reads(node, it->first)) continue;
    sets.push_back({it->second, source.output, source.element});
  }
  return sets;
}

std::vector<const Node*> PlanSymbols::Sources(const OpAttrs& attrs) const {
  std::vector<const Node*> nodes;
  for (const OpAttrs::Varying& varying : attrs.varying())
    for (const Extent::Term& term : varying.extent.terms())
      if (const Node* node = shapes_.SourceOfEqual(term.symbol).node) nodes.push_back(node);
  return nodes;
}

}  // namespace linnet::converter
