// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/tf_passes/variables/variable_effects.h"

// Variables as values: what carry_state does to the model's graph and to the functions that it
// calls.
namespace linnet::converter {

// The variables that the model assigns, with what they hold at first.
using CarriedVariables = std::map<std::string, TensorType>;

// Functions that take and return what variables hold, made once each.
class StateFunctions {
 public:
  // New functions become part of `graph`'s library.
  StateFunctions(Graph& graph, VariableEffects& effects, const CarriedVariables& carried)
      : graph_(graph), effects_(effects), carried_(carried) {}

  // Rewrites `graph` in place, in one order of its nodes. `values` holds what each variable is
  // before and then what it is in the end. Returns how many nodes touched one.
  absl::StatusOr<int> CarryThrough(Graph& graph, const Binding& arguments,
                                   std::map<std::string, Output>* values);
  // The name of a function that does what `callee` does, without the arguments and results that are
  // handles of carried variables; it takes what `taken` hold behind the other arguments and returns
  // what `returned` hold behind the other results.
  absl::StatusOr<std::string> Make(const Callee& callee, const Binding& arguments,
                                   std::span<const std::string> taken,
                                   std::span<const std::string> returned);

  // Counts the variables that a call takes as arguments. InvalidArgument when those of all calls
  // together are too many.
  absl::Status HandOver(size_t variables);

  VariableEffects& effects() { return effects_; }
  const CarriedVariables& carried() const { return carried_; }

 private:
  absl::StatusOr<std::string> Define(const FunctionBody& body, const Callee& callee,
                                     const Binding& arguments, std::span<const std::string> taken,
                                     std::span<const std::string> returned);

  Graph& graph_;
  VariableEffects& effects_;
  const CarriedVariables& carried_;
  std::map<std::string, std::string> made_;
  VariantBudget budget_;
  size_t handed_over_ = 0;
};

}  // namespace linnet::converter
