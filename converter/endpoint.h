// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "converter/import/model.h"

namespace linnet::converter {

// "x" -> "x:0", "x:1" stays.
std::string WithSlot(const std::string& tensor);
// The node that makes a tensor.
std::string NodeOf(const std::string& tensor);
bool SameTensor(const std::string& a, const std::string& b);

// A tensor of the graph with the name that the plan will know it by.
struct Endpoint {
  std::string name, tensor;
};

// Resolves names of the command line: signature keys first, then tensors of the graph.
class EndpointResolver {
 public:
  explicit EndpointResolver(std::span<const TensorRef> signature) : signature_(signature) {}

  Endpoint Resolve(const std::string& name) const;
  // For inputs: the signature's key, whichever name was used. (Outputs keep the name that was asked
  // for.)
  Endpoint ResolveToKey(const std::string& name) const;
  std::vector<Endpoint> All() const;

 private:
  std::span<const TensorRef> signature_;
};

}  // namespace linnet::converter
