// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "converter/functions/function_bodies.h"

namespace linnet::converter {

// What If, While, Case and calls of one function have in common.
struct FunctionalCall {
  struct Function {
    std::string attr;  // "then_branch", "cond", "branches", "f" ...
    Callee callee;
    bool is_condition = false;  // of a While: its result is none of the node's
  };
  std::vector<Function> functions;
  int first_argument = 0;  // inputs before it choose a function
  bool is_loop = false;
};

// nullopt for other nodes, and for those that lack the attributes.
std::optional<FunctionalCall> FunctionalCallOf(const Node& node);

}  // namespace linnet::converter
