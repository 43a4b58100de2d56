// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

class LegalizeContext;

// The generators of stateful random ops. Each op has one, which all iterations of a loop share. How
// many blocks of words it has produced is state of the session.
class Generators {
 public:
  // `copy` was made of a node of a function for one iteration or call: `origin` names the node,
  // and is the same for all iterations.
  void SetOrigin(const Node& copy, std::string origin) { origins_[copy.id()] = std::move(origin); }
  const std::string& Origin(const Node& node) const;

  // How many blocks the generator of the node at hand has produced before, i64 [1]; from now on it
  // is `blocks`, i64 [1], more.
  absl::StatusOr<Output> Take(Graph& graph, LegalizeContext& context, Output blocks);

  // How many have produced something, which cannot be undone.
  size_t num_used() const { return counts_.size(); }

 private:
  std::map<int, std::string> origins_;  // by node id, which is never used again
  std::map<std::string, Node*>
      counts_;  // by origin: the node that writes the state; its input is the count so far
};

}  // namespace linnet::converter
