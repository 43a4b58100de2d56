// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/function_library.h"

#include <algorithm>
#include <set>

#include "fmt/format.h"
#include "google/protobuf/util/message_differencer.h"

namespace linnet::converter {
namespace {

using google::protobuf::util::MessageDifferencer;

void CollectCalls(const tf::AttrValue& value, std::vector<std::string>* names) {
  const auto collect = [names](const tf::NameAttrList& function) {
    names->push_back(function.name());
    for (const auto& [key, attr] : function.attr()) CollectCalls(attr, names);
  };
  if (value.value_case() == tf::AttrValue::kFunc) collect(value.func());
  if (value.value_case() == tf::AttrValue::kList)
    for (const tf::NameAttrList& function : value.list().func()) collect(function);
}

// Names of all functions and ops that the nodes of `function` may call.
std::vector<std::string> CalledBy(const tf::FunctionDef& function) {
  std::vector<std::string> names;
  for (const tf::NodeDef& node : function.node_def()) {
    names.push_back(node.op());
    for (const auto& [key, value] : node.attr()) CollectCalls(value, &names);
  }
  return names;
}

}  // namespace

const tf::OpDef* FunctionLibrary::LookUp(std::string_view op) const {
  const tf::FunctionDef* function = Find(op);
  return function != nullptr ? &function->signature() : registry_->LookUp(op);
}

const tf::FunctionDef* FunctionLibrary::Find(std::string_view name) const {
  const auto it = functions_.find(name);
  return it == functions_.end() ? nullptr : it->second.get();
}

std::shared_ptr<const tf::FunctionDef> FunctionLibrary::Share(std::string_view name) const {
  const auto it = functions_.find(name);
  return it == functions_.end() ? nullptr : it->second;
}

void FunctionLibrary::ShareFrom(const FunctionLibrary& other, std::string_view name) {
  if (const auto it = other.functions_.find(name); it != other.functions_.end())
    functions_.emplace(it->first, it->second);
}

std::vector<std::string> FunctionLibrary::names() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : functions_) names.push_back(name);
  return names;
}

absl::Status FunctionLibrary::Add(const tf::FunctionDef& function) {
  const std::string& name = function.signature().name();
  if (const tf::FunctionDef* known = Find(name); known != nullptr) {
    if (MessageDifferencer::Equals(*known, function)) return absl::OkStatus();
    return absl::InvalidArgumentError(fmt::format(
        "Cannot add function '{}' because a different function with the same name already exists.",
        name));
  }
  if (registry_->LookUp(name) != nullptr)
    return absl::InvalidArgumentError(fmt::format(
        "Cannot add function '{}' because an op with the same name already exists.", name));
  functions_.emplace(name, std::make_shared<const tf::FunctionDef>(function));
  return absl::OkStatus();
}

absl::Status FunctionLibrary::AddGradient(const tf::GradientDef& gradient) {
  const auto [it, added] = gradients_.emplace(gradient.function_name(), gradient.gradient_func());
  if (added || it->second == gradient.gradient_func()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "Cannot assign gradient function '{}' to '{}' because it already has gradient function '{}'",
      gradient.gradient_func(), gradient.function_name(), it->second));
}

absl::Status FunctionLibrary::AddLibrary(const tf::FunctionDefLibrary& library) {
  if (library.function().empty() && library.gradient().empty()) return absl::OkStatus();
  FunctionLibrary with = *this;  // shares the definitions
  for (const tf::FunctionDef& function : library.function())
    if (absl::Status s = with.Add(function); !s.ok()) return s;
  for (const tf::GradientDef& gradient : library.gradient())
    if (absl::Status s = with.AddGradient(gradient); !s.ok()) return s;
  *this = std::move(with);
  return absl::OkStatus();
}

absl::Status FunctionLibrary::Remove(std::string_view name) {
  const auto it = functions_.find(name);
  if (it == functions_.end())
    return absl::InvalidArgumentError(
        fmt::format("Tried to remove non-existent function '{}'.", name));
  removed_.push_back(it->second);
  functions_.erase(it);
  return absl::OkStatus();
}

std::string_view FunctionLibrary::FindGradient(std::string_view function) const {
  const auto it = gradients_.find(function);
  return it == gradients_.end() ? std::string_view() : it->second;
}

tf::FunctionDefLibrary FunctionLibrary::ToProto() const {
  tf::FunctionDefLibrary library;
  for (const auto& [name, function] : functions_) *library.add_function() = *function;
  for (const auto& [name, gradient] : gradients_) {
    tf::GradientDef* def = library.add_gradient();
    def->set_function_name(name);
    def->set_gradient_func(gradient);
  }
  return library;
}

std::vector<std::string> FunctionLibrary::Reachable(const std::vector<std::string>& roots) const {
  std::set<std::string> seen;
  std::vector<std::string> stack = roots;
  while (!stack.empty()) {
    const std::string name = std::move(stack.back());
    stack.pop_back();
    const tf::FunctionDef* function = Find(name);
    if (function == nullptr || !seen.insert(name).second) continue;
    std::ranges::move(CalledBy(*function), std::back_inserter(stack));
  }
  return {seen.begin(), seen.end()};
}

std::vector<std::string> FunctionLibrary::FindCycle(const std::string& root,
                                                    std::set<std::string>* known) const {
  struct Visit {
    std::string function;
    std::vector<std::string> calls;
    size_t next = 0;
  };
  std::vector<Visit> path;  // not recursion: a model may nest calls deeper than the thread's stack
  std::set<std::string> on_path;
  const auto enter = [&](const std::string& name) {
    const tf::FunctionDef* function = Find(name);
    if (function == nullptr || known->contains(name)) return;
    path.push_back({name, CalledBy(*function)});
    on_path.insert(name);
  };
  enter(root);
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next == visit.calls.size()) {
      on_path.erase(visit.function);
      known->insert(std::move(visit.function));
      path.pop_back();
      continue;
    }
    const std::string name = visit.calls[visit.next++];
    if (!on_path.contains(name)) {
      enter(name);
      continue;
    }
    std::vector<std::string> cycle;
    const auto start = std::ranges::find(path, name, &Visit::function);
    for (auto it = start; it != path.end(); ++it) cycle.push_back(it->function);
    cycle.push_back(name);
    return cycle;
  }
  return {};
}

}  // namespace linnet::converter
