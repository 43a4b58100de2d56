// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "converter/graph/symbolic_shapes.h"

namespace linnet::converter {

// The symbols of a program as a plan numbers them: those that something uses, in order of first
// use, and one for each other extent that varies.
class PlanSymbols {
 public:
  struct Symbol {
    std::string name;
    int64_t min = 0, max = 0;
    int64_t constant = 0;
    // (number in the plan, factor); empty: set by feeds and steps
    std::vector<std::pair<int, int64_t>> terms;
  };
  // A step's attribute `slot` takes the value of `symbol`; `symbol` takes the value of an element
  // of a step's output (SymbolicShapes::Source).
  struct AttrExtent {
    int slot = 0, symbol = -1;
  };
  struct Set {
    int symbol = -1, output = 0, element = 0;
  };

  explicit PlanSymbols(const SymbolicShapes& shapes) : shapes_(shapes) {}

  // -1 for a constant.
  int Number(const Extent& extent);
  // The largest value of the extent with this number: what a tensor's type in the plan has there.
  int64_t Largest(int number) const { return symbols_[static_cast<size_t>(number)].max; }
  // By dimension; empty when all are fixed.
  std::vector<int> Numbers(const Node* node, int output);
  std::vector<AttrExtent> AttrExtents(const OpAttrs& attrs);
  // What the node's outputs set, of the symbols that have a number.
  std::vector<Set> Sets(const Node* node) const;
  // Nodes that must run before one with these attributes.
  std::vector<const Node*> Sources(const OpAttrs& attrs) const;

  std::vector<Symbol> Take() { return std::move(symbols_); }

 private:
  int NumberOfSymbol(int root);
  bool Reads(const Node* node, int root) const;  // in the extents of its inputs

  const SymbolicShapes& shapes_;
  std::vector<Symbol> symbols_;
  std::map<int, int> free_;             // root -> number
  std::map<std::string, int> derived_;  // text -> number
};

}  // namespace linnet::converter
