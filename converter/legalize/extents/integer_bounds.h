// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Bounds, both inclusive, that hold for all elements of an integer tensor of any size. A symbol
// that stands for one of these elements gets them as its bounds.
class IntegerBounds {
 public:
  struct Bounds {
    int64_t min = 0, max = 0;
  };
  // nullopt where none are known, except that bool and u8 always have those of the dtype.
  std::optional<Bounds> Find(Output value) const;
  void Set(Output value, Bounds bounds);
  // To be called for each node that is added: derives bounds of its outputs from its inputs.
  void Record(const Node& node);

 private:
  std::optional<Bounds> OfNode(const Node& node) const;
  std::optional<Bounds> OfBinary(const Node& node) const;
  std::optional<Bounds> OfReduce(const Node& node) const;
  std::optional<Bounds> Hull(const Node& node, int first, int last) const;

  std::map<std::pair<int, int>, Bounds> bounds_;  // by node id and output
};

}  // namespace linnet::converter
