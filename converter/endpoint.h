// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "converter/import/model.h"

namespace linnet::converter {

// "x" -> "x:0", "x:1" stays.
std::string WithSlot(const std::string& tensor);
// The node that makes a tensor.
std::string NodeOf(const std::string& tensor);

// A tensor of the graph with the name that the plan will know it by.
struct Endpoint {
  std::string name, tensor;
};

// What a name on the command line stands for: the tensor of `signature` with this key, else the
// tensor of the graph with this name. The endpoint keeps the given name.
Endpoint Resolve(std::span<const TensorRef> signature, const std::string& name);
// The same, but a tensor of the signature gets its key as name, however it was given.
Endpoint ResolveToKey(std::span<const TensorRef> signature, const std::string& name);

}  // namespace linnet::converter
