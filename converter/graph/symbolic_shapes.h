// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/extent.h"
#include "converter/graph/op_attrs.h"
#include "runtime/ops/op_def.h"

namespace linnet::converter {

class Node;
struct Output;

// What a graph knows of extents that may differ from run to run. A node's type() is the largest;
// here is what its extents are in terms of symbols, and where symbols get their values.
class SymbolicShapes {
 public:
  using Extents = std::vector<Extent>;  // one per dimension

  // Who gives a symbol its value: an element of an output, or with element -1 - d its dimension d.
  // No node: a feed.
  struct Source {
    Node* node = nullptr;
    int output = 0;
    int element = 0;
  };

  SymbolTable& symbols() { return symbols_; }
  const SymbolTable& symbols() const { return symbols_; }
  int AddSymbol(std::string name, int64_t min, int64_t max, Source source);
  void SetSource(int symbol, Source source) { sources_[symbol] = source; }
  const Source& source(int symbol) const { return sources_[symbol]; }

  bool empty() const { return sources_.empty(); }
  // nullptr for an output of a fixed shape.
  const Extents* Find(const Node* node, int output) const;
  // Extents that are all constant are forgotten.
  void Set(const Node* node, int output, Extents extents);
  void ForgetExtents(const Node* node);
  void Forget(const Node* node);  // which goes away
  // Whoever got a symbol from output `from` gets it from `to`.
  void MoveSources(const Output& from, const Output& to);

  // An op over inputs some of whose extents, or whose own attributes, vary.
  struct Instance {
    std::string_view name;  // of the node
    const OpAttrs& attrs;
    std::span<const InputInfo> inputs;    // largest
    std::vector<const Extents*> extents;  // by input; null = fixed
    bool varies() const;
  };
  struct Inferred {
    std::vector<TensorType> types;  // largest
    std::vector<Extents> extents;   // by output; empty = fixed
    // Dimensions that no sum of symbols describes became symbols: (symbol, output, dimension).
    struct Fresh {
      int symbol, output, dimension;
    };
    std::vector<Fresh> fresh;
  };
  // Types and extents by the op's own rule, tried at several values of each symbol. `before` (may
  // be null): what the node had, whose symbols are used again. InvalidArgument when the rule
  // refuses the largest extents, or holds for those alone.
  absl::StatusOr<Inferred> Infer(const Instance& op, const Node* before);

 private:
  friend class ExtentInference;
  SymbolTable symbols_;
  std::vector<Source> sources_;  // by symbol
  std::map<std::pair<const Node*, int>, Extents> extents_;
};

}  // namespace linnet::converter
