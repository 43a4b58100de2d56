// SPDX-License-Identifier: Apache-2.0
// A resource variable that the model assigns => a state of the session (graph/session_state.h)
//
//   ReadVariableOp(v) => what v holds there: its state, or what the last assignment before made of
//   it; AssignVariableOp(v, x) => x is the state's next value; other assignments => what they make
//   of v (variable_reads.h) If, While, Case and calls whose functions touch v => the same over new
//   functions that take what v holds as a further argument and, if any of them assigns v, return
//   what it holds then
//
// All nodes are taken in one order that keeps data and control edges; "before" refers to that
// order. Where the edges leave a choice, what assigns nothing comes first, then the smaller id. A
// node that calls functions waits for all its inputs, and what waits for it waits for all that it
// does.
//
// A problem for each assigned variable that goes into anything else, whose handle is one of
// several, that the condition of a loop assigns, or that has no initial value. Variables that are
// never assigned are left to freeze_variables.
#include "converter/pass/passes.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/session_state.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/resources/variables.h"
#include "converter/tf_passes/variables/state_functions.h"
#include "converter/tf_passes/variables/variable_reads.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

class Carrier {
 public:
  Carrier(Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), effects_(graph, context.constant_room) {}

  absl::StatusOr<int> Run() {
    absl::StatusOr<Effects> effects = effects_.OfGraph(graph_, {}, nullptr);
    if (!effects.ok()) return effects.status();
    if (effects->assigned.empty() && !effects->strays.contains("")) return 0;
    for (const std::string& variable : effects->assigned) FindInitial(variable);
    for (const auto& [variable, stray] : effects->strays) AddProblem(*effects, variable, stray);
    for (const std::string& result : effects->results)
      if (effects->assigned.contains(result))
        problems_.Add(Problem{.reason = HandleIsOutput(result), .remedy = kNameItsReader});
    if (!problems_.empty()) return problems_.ToStatus();
    return Carry();
  }

 private:
  void AddProblem(const Effects& effects, const std::string& variable,
                  const Effects::Stray& stray) {
    constexpr auto kUnimplemented = absl::StatusCode::kUnimplemented;
    if (variable.empty())
      problems_.Add({stray.node, stray.op, "the converter cannot tell which variable it assigns",
                     "change the model so that the handle, input 0, always comes from the same "
                     "VarHandleOp",
                     kUnimplemented});
    else if (effects.assigned.contains(variable))
      problems_.Add(
          {stray.node, stray.op,
           fmt::format("{} the variable '{}', which the model assigns", stray.reason, variable),
           "only reads and assignments are supported", kUnimplemented});
  }

  void FindInitial(const std::string& variable) {
    const Node& handle = *effects_.variables().at(variable);
    const absl::StatusOr<Constant> initial = ReadVariable(context_.variables, handle);
    if (initial.ok())
      carried_[variable] = initial->type;
    else
      problems_.Add(initial.status(), handle.name(), handle.op_name());
  }

  absl::StatusOr<int> Carry() {
    std::map<std::string, Output> values;
    for (const auto& [variable, type] : carried_)
      values[variable] = {AddState(&graph_, variable, type), 0};
    StateFunctions functions(graph_, effects_, carried_);
    absl::StatusOr<int> changes = functions.CarryThrough(graph_, {}, &values);
    if (!changes.ok()) return changes;
    for (const auto& [variable, value] : values) AddNextState(&graph_, variable, value);
    // Checked, since a use that was left would silently read what the checkpoint has.
    const absl::StatusOr<Effects> left = effects_.OfGraph(graph_, {}, nullptr);
    if (!left.ok()) return left.status();
    for (const auto& [variable, type] : carried_)
      if (left->Touches(variable))
        return absl::InternalError(fmt::format("the variable '{}' is still in use", variable));
    FixupSourceAndSinkEdges(&graph_);
    return changes;
  }

  Graph& graph_;
  const PassContext& context_;
  VariableEffects effects_;
  CarriedVariables carried_;
  Problems problems_;
};

}  // namespace

absl::StatusOr<int> CarryState(Graph& graph, const PassContext& context) {
  if (!MayAssign(graph.functions(), graph.op_nodes())) return 0;
  return Carrier(graph, context).Run();
}

}  // namespace linnet::converter
