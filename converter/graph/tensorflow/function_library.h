// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "schema/tensorflow/function.pb.h"

namespace linnet::converter {

// The functions of a graph, by name, and which function is whose gradient. Definitions are shared
// between copies and stay valid while any library holds them.
class FunctionLibrary {
 public:
  explicit FunctionLibrary(const OpRegistry* registry) : registry_(registry) {}

  // A function's signature or, failing that, the registry's op; nullptr when neither knows `op`.
  const tf::OpDef* LookUp(std::string_view op) const;
  const tf::FunctionDef* Find(std::string_view name) const;  // nullptr when absent
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }
  // A definition that outlives this library; nullptr when absent.
  std::shared_ptr<const tf::FunctionDef> Share(std::string_view name) const;
  // Takes the definition of `name`, if `other` has it, without copying: nodes that name it stay
  // valid in a graph of either library.
  void ShareFrom(const FunctionLibrary& other, std::string_view name);
  int num_functions() const { return static_cast<int>(functions_.size()); }
  std::vector<std::string> names() const;  // sorted

  // An identical duplicate is fine. InvalidArgument "Cannot add function 'F' because a different
  // function with the same name already exists.", "... because an op with the same name already
  // exists."
  absl::Status Add(const tf::FunctionDef& function);
  // InvalidArgument "Cannot assign gradient function 'B' to 'F' because it already has gradient
  // function 'A'".
  absl::Status AddGradient(const tf::GradientDef& gradient);
  // All of it or, when something fails, nothing of it.
  absl::Status AddLibrary(const tf::FunctionDefLibrary& library);
  absl::Status AddLibrary(const FunctionLibrary& other);
  // Another definition for an existing name; NotFound "Cannot replace function 'F': not found".
  // Nodes that call it keep the old signature alive until they are rebuilt.
  absl::Status Replace(std::string_view name, const tf::FunctionDef& function);
  absl::Status Remove(std::string_view name);

  std::string_view FindGradient(std::string_view function) const;  // "" when there is none
  tf::FunctionDefLibrary ToProto() const;                          // sorted by name

  // Names in the closure of `roots` under calls (op names and attributes of type func, also inside
  // lists), sorted. Roots that are no functions are ignored.
  std::vector<std::string> Reachable(const std::vector<std::string>& roots) const;

  // A cycle of calls that `root` reaches, as names, the first one again at the end; empty when
  // there is none. `known` holds functions that reach no cycle, from earlier questions, and grows.
  std::vector<std::string> FindCycle(const std::string& root, std::set<std::string>* known) const;

 private:
  const OpRegistry* registry_;
  std::map<std::string, std::shared_ptr<const tf::FunctionDef>, std::less<>> functions_;
  std::vector<std::shared_ptr<const tf::FunctionDef>>
      retired_;  // replaced or removed: still named by nodes
  std::map<std::string, std::string, std::less<>> gradients_;
};

}  // namespace linnet::converter
