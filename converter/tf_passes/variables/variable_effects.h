// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/functions/function_bodies.h"
#include "converter/tf_passes/control_flow/functional_call.h"
#include "converter/tf_passes/variables/variant_budget.h"

namespace linnet::converter {

// By argument or result of a function: the variable whose handle it is, "" for anything else.
using Binding = std::vector<std::string>;

// What a graph, or one call of a function, does with variables (by VariableName).
struct Effects {
  std::set<std::string> read, assigned;
  Binding results;
  // A use of a handle that cannot be followed. It is harmless unless the variable is assigned. The
  // variable "" stands for an assignment by an unknown handle, which is never harmless.
  struct Stray {
    std::string node, op, reason;
  };
  std::map<std::string, Stray> strays;  // the first of each variable

  bool Touches(const std::string& variable) const {
    return read.contains(variable) || assigned.contains(variable);
  }
};

// The handles in one graph.
class Handles {
 public:
  // "" where the value is not the handle of a variable.
  const std::string& Of(Output value) const;
  void Set(const Node& node, int output, std::string variable);

 private:
  std::map<std::pair<int, int>, std::string> names_;  // by node id and output
};

// Finds out what graphs do with variables, and the functions that they call, at any depth.
class VariableEffects {
 public:
  // `constant_room`: see FunctionBodies.
  VariableEffects(const Graph& graph, int64_t* constant_room)
      : bodies_(graph, constant_room, /*notes=*/nullptr) {}

  // Of a graph whose _Args are bound. `handles` (may be null) gets those in it.
  absl::StatusOr<Effects> OfGraph(const Graph& graph, const Binding& arguments, Handles* handles);
  // Of a node that calls functions.
  absl::StatusOr<Effects> OfCall(const Node& node, const FunctionalCall& call,
                                 const Handles& handles);
  // The pointer stays valid.
  absl::StatusOr<const Effects*> OfFunction(const Callee& callee, const Binding& arguments);

  FunctionBodies& bodies() { return bodies_; }
  // A VarHandleOp of each variable that was met.
  const std::map<std::string, const Node*>& variables() const { return variables_; }

 private:
  FunctionBodies bodies_;
  std::map<std::string, absl::StatusOr<Effects>> known_;  // by function and binding
  std::map<std::string, const Node*> variables_;
  VariantBudget budget_;
  size_t names_kept_ = 0;  // of variables, in known_
  int depth_ = 0;
};

// What the arguments of a call are bound to.
Binding ArgumentsOf(const Node& node, const FunctionalCall& call, const Handles& handles);

}  // namespace linnet::converter
