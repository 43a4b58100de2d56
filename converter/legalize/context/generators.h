// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

class LegalizeContext;

// The generators of stateful random ops. Each op has one, for all iterations of a loop that it is
// in; the session keeps how many blocks of words it has given.
class Generators {
 public:
  // `copy` was made of a node of a function for one iteration or call: `origin` names the node,
  // and is the same for all iterations.
  void SetOrigin(const Node& copy, std::string origin) { origins_[copy.id()] = std::move(origin); }
  const std::string& Origin(const Node& node) const;

  // The blocks that the generator of the node at hand has given before, i64 [1]; it gives `blocks`,
  // i64 [1], more.
  absl::StatusOr<Output> Take(Graph& graph, LegalizeContext& context, Output blocks);

 private:
  std::map<int, std::string> origins_;   // by node id, which is never given again
  std::map<std::string, Node*> counts_;  // by origin: the state's end, which reads the count so far
};

}  // namespace linnet::converter
