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
#include "converter/graph/quotient.h"
#include "runtime/ops/op_def.h"

namespace linnet::converter {

class Node;
struct Output;

// The extents of a graph that may differ from run to run. type() of an output has their largest
// values; SymbolicShapes has them as sums of symbols, and knows what sets the symbols.
class SymbolicShapes {
 public:
  using Extents = std::vector<Extent>;  // one per dimension

  // What sets a symbol: an element of an output, or for element -1 - d dimension d of the output. A
  // null node: dimensions of what is fed.
  struct Source {
    Node* node = nullptr;
    int output = 0;
    int element = 0;
  };

  SymbolTable& symbols() { return symbols_; }
  const SymbolTable& symbols() const { return symbols_; }
  int AddSymbol(std::string name, int64_t min, int64_t max, Source source);
  // Says that the symbol, which is new, is `is`. It becomes equal to another one that is the same.
  void SetQuotient(int symbol, const Quotient& is);
  void SetSource(int symbol, Source source) { sources_[symbol] = source; }
  const Source& source(int symbol) const { return sources_[symbol]; }
  // Where to find the value of a symbol: what sets it, or else one that is equal to it. A null node
  // when only what is fed does.
  const Source& SourceOfEqual(int symbol) const;

  bool empty() const { return sources_.empty(); }
  // nullptr for an output with a fixed shape.
  const Extents* Find(const Node* node, int output) const;
  // Extents that are all constant are not kept.
  void Set(const Node* node, int output, Extents extents);
  void ForgetExtents(const Node* node);
  void Forget(const Node* node);  // its extents and the symbols it sets, when it is removed
  // Symbols that output `from` sets are set by `to` from now on.
  void MoveSources(const Output& from, const Output& to);

  // An op of which extents of inputs, or attributes, vary.
  struct Instance {
    std::string_view name;  // of the node
    const OpAttrs& attrs;
    std::span<const InputInfo> inputs;    // with the largest extents
    std::vector<const Extents*> extents;  // by input; null = fixed
    bool varies() const;
  };
  struct Inferred {
    std::vector<TensorType> types;  // with the largest extents
    std::vector<Extents> extents;   // by output; empty = fixed
    // A new symbol for a dimension that is no sum of those there are.
    struct Fresh {
      int symbol, output, dimension;
    };
    std::vector<Fresh> fresh;
  };
  // Types and extents by the op's shape rule, which is tried at several values of each symbol. If
  // `before`, which may be null, sets symbols already, they are used again. InvalidArgument when
  // the rule refuses the largest extents, or accepts no others.
  absl::StatusOr<Inferred> Infer(const Instance& op, const Node* before);

 private:
  friend class ExtentInference;
  SymbolTable symbols_;
  std::vector<Source> sources_;  // by symbol
  std::map<std::pair<const Node*, int>, Extents> extents_;
};

}  // namespace linnet::converter
