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

// The functions of a graph by name, and the name of each one's gradient function. Definitions are
// shared between copies and stay valid while any library holds them.
class FunctionLibrary {
 public:
  explicit FunctionLibrary(const OpRegistry* registry) : registry_(registry) {}

  // The signature of the function `op`, else the registry's op of that name, else nullptr.
  const tf::OpDef* LookUp(std::string_view op) const;
  const tf::FunctionDef* Find(std::string_view name) const;  // nullptr when absent
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }
  // A definition that outlives this library; nullptr when absent.
  std::shared_ptr<const tf::FunctionDef> Share(std::string_view name) const;
  // Adds the definition that `other` has of `name`, if any, without copying it: a node that calls
  // it may be in a graph of either library.
  void ShareFrom(const FunctionLibrary& other, std::string_view name);
  int num_functions() const { return static_cast<int>(functions_.size()); }
  std::vector<std::string> names() const;  // sorted

  // Ok when there is an equal function already. InvalidArgument "Cannot add function 'F' because a
  // different function with the same name already exists.", "... because an op with the same name
  // already exists."
  absl::Status Add(const tf::FunctionDef& function);
  // InvalidArgument "Cannot assign gradient function 'B' to 'F' because it already has gradient
  // function 'A'".
  absl::Status AddGradient(const tf::GradientDef& gradient);
  // Adds everything, or nothing when an error occurs.
  absl::Status AddLibrary(const tf::FunctionDefLibrary& library);
  // InvalidArgument "Tried to remove non-existent function 'F'.". Nodes that call the function may
  // still use its signature.
  absl::Status Remove(std::string_view name);

  std::string_view FindGradient(std::string_view function) const;  // "" when there is none
  tf::FunctionDefLibrary ToProto() const;                          // sorted by name

  // Names of the functions among `roots` and of all that they call, directly or through others (by
  // op name or by an attribute of type func or list(func)), sorted.
  std::vector<std::string> Reachable(const std::vector<std::string>& roots) const;

  // A cycle of calls that `root` reaches, as names, the first one again at the end; empty when
  // there is none. `known` holds functions that are known to reach no cycle; calls add to it.
  std::vector<std::string> FindCycle(const std::string& root, std::set<std::string>* known) const;

 private:
  const OpRegistry* registry_;
  std::map<std::string, std::shared_ptr<const tf::FunctionDef>, std::less<>> functions_;
  std::vector<std::shared_ptr<const tf::FunctionDef>> removed_;
  std::map<std::string, std::string, std::less<>> gradients_;
};

}  // namespace linnet::converter
