// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

// How loops and conditionals of TensorFlow 1 are cut out of the graph and put into functions.
namespace linnet::converter {

// Constants up to this size are copied into functions, larger ones become arguments.
inline constexpr size_t kMaxCopiedConstantBytes = 1024;

// Which nodes lie in a region: loops and conditionals each have their own rules.
struct RegionRules {
  // The value that a node inside really reads, before the region's borders (Switch, Enter ...). Its
  // node is inside or outside, never a border, unless it is an argument already.
  std::function<Output(Output)> look_through;
  std::function<bool(const Node&)> is_inside;  // borders are not
  std::function<bool(const Node&)> is_border;
  bool keeps_order;  // the model assigns variables: what waits for what must stay so
};

// The functions of one If or While: they share their arguments.
class RegionFunctions {
 public:
  RegionFunctions(Graph& graph, RegionRules rules);

  // Makes `value` the next argument, unless it is one already.
  void AddArgument(Output value);
  // Finds out what is needed to compute `results` and to have run `effects`, and what of that comes
  // from outside.
  void Find(std::vector<Output> results, const std::vector<Node*>& effects = {});
  // Adds every argument from `first` on to the results of the last Find: what a loop only passes
  // on.
  void PassOnArguments(size_t first);
  // One definition for each Find, once all are done, under new names ("<prefix>_<suffix>").
  absl::StatusOr<std::vector<std::string>> Define(std::string_view prefix,
                                                  const std::vector<std::string>& suffixes);

  std::span<const Output> arguments() const { return arguments_; }
  std::vector<tf::DataType> argument_types() const;
  // Nodes outside that nodes inside wait for.
  const std::vector<Node*>& waits_for() const { return waits_for_; }
  // Nodes inside that touch state, of the last Find; empty where order does not matter.
  std::vector<const Node*> effects() const;
  // New nodes outside: what was inside but may as well be computed before.
  const std::vector<Node*>& hoisted() const { return hoisted_nodes_; }
  bool is_stateful() const { return is_stateful_; }

 private:
  struct Part {
    std::vector<Output> results;
    std::vector<const Node*> nodes;
    std::set<const Node*> inside;
  };
  // Decides where the functions get `read` from: an argument, or a node inside; that joins `found`
  // if it is new.
  void Place(Output read, Part* part, std::vector<Node*>* found);
  // An Identity of what comes in: what TensorFlow ties constants in a branch or a body to.
  bool IsPivot(const Node& node) const;
  // ... but that the region is entered.
  bool WaitsForNothing(const Node& node) const;
  // What is inside waits for `border`, and so for what that reads and waits for.
  void Pass(const Node& border);
  void PassInto(const Node& node);
  void WaitFor(Node* outside);
  Output Resolve(Output read, const Part& part) const;
  // A copy outside of what gives the same there: large constants; reads of variables that are only
  // read. Empty for anything else.
  Output Hoist(Output value);
  // The handle that a read inside gets from outside; none where it does not.
  Output HandleOutside(const Node& read) const;

  Graph& graph_;
  const RegionRules rules_;
  std::vector<Part> parts_;
  std::vector<Output> arguments_;
  std::map<std::pair<int, int>, int> argument_of_;  // by node id and output
  std::map<int, Node*> hoisted_;                    // by the id of the node inside
  std::vector<Node*> hoisted_nodes_;
  std::vector<Node*> waits_for_;
  std::set<const Node*> passed_;  // borders; only looked up
  bool is_stateful_ = false;
};

// A TensorFlow node that reads `inputs`.
absl::StatusOr<Node*> AddNode(Graph& graph, const tf::NodeDef& def, std::span<const Output> inputs);

// What the functional node that stands for a loop or conditional is made of.
struct FunctionalNode {
  std::string name;
  const char* op;                                              // "StatelessIf" ...
  std::vector<std::pair<std::string, std::string>> functions;  // attribute, function
  std::vector<std::pair<std::string, std::vector<tf::DataType>>> types;
  std::vector<Output> inputs;
};
absl::StatusOr<Node*> AddFunctionalNode(Graph& graph, const FunctionalNode& what,
                                        const std::vector<Node*>& waits_for);

// `name` with underscores for slashes, and with a number where a function has that name already.
std::string FreeFunctionName(const FunctionLibrary& library, std::string name);

// An Identity of `value` that also waits for `before`.
absl::StatusOr<Output> AddWait(Graph& graph, const std::string& name, Output value,
                               const std::vector<Node*>& before);

// Is there nothing to wait for, as with constants and the model's inputs?
bool IsThereAtOnce(const Node& node);

// What waits for `node` waits for `instead` too.
void MoveControlEdges(Graph& graph, Node* node, Node* instead);

}  // namespace linnet::converter
