// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Between which numbers the elements of an integer tensor lie, of any size: what a symbol that is
// one of them is bounded by.
class IntegerBounds {
 public:
  struct Bounds {
    int64_t min = 0, max = 0;
  };
  // nullopt where nothing but the dtype bounds them.
  std::optional<Bounds> Find(Output value) const;
  void Set(Output value, Bounds bounds);
  // Looks at a node just added.
  void Record(const Node& node);

 private:
  std::optional<Bounds> OfNode(const Node& node) const;
  std::optional<Bounds> OfBinary(const Node& node) const;
  std::optional<Bounds> OfReduce(const Node& node) const;
  std::optional<Bounds> Hull(const Node& node, int first, int last) const;

  std::map<std::pair<int, int>, Bounds> bounds_;  // by node id and output
};

}  // namespace linnet::converter
