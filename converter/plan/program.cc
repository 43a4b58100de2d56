// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/program.h"

#include <algorithm>

#include "converter/graph/algorithm.h"
#include "converter/graph/session_state.h"
#include "converter/graph/structured_node.h"
#include "converter/plan/alias_options.h"
#include "converter/plan/choose_strips.h"
#include "converter/plan/placed_steps.h"
#include "converter/plan/program_memory.h"
#include "converter/plan/tensor_table.h"
#include "fmt/format.h"
#include "runtime/plan/plan_view.h"

namespace linnet::converter {
namespace {

constexpr int kHostSpace = 0, kProgramRegion = 0;

class Builder {
 public:
  Builder(const Graph& graph, const std::map<std::string, Constant>& states, PlacedSteps placed,
          Program* program)
      : graph_(graph),
        initial_states_(states),
        placed_(std::move(placed)),
        symbols_(graph.shapes()),
        program_(*program),
        tensors_(&symbols_, program),
        memory_(graph, symbols_, program) {}

  absl::Status Build(std::span<const PortName> inputs, std::span<const PortName> outputs,
                     const ProgramOptions& options) {
    for (const PlacedSteps::DeviceSpace& space : placed_.spaces())
      program_.devices.push_back({.device = space.device, .layout = space.layout});
    const std::vector<Node*> order = TopologicalOrder(graph_);
    for (const Node* node : order) tensors_.Add(node, placed_.SpaceOf(node), kProgramRegion);
    if (absl::Status status = AddStates(order); !status.ok()) return status;
    std::vector<StepScratch> scratch;
    const bool is_placed = !placed_.steps().empty();
    if (absl::Status s = is_placed ? AddPlacedSteps(&scratch)
                                   : AddSteps(order, kHostSpace, &program_.steps, &scratch);
        !s.ok())
      return s;
    if (absl::Status status = AddPorts(order, inputs, outputs); !status.ok()) return status;
    if (absl::Status status = tensors_.CheckSizes(); !status.ok()) return status;
    if (absl::Status status = AddSymbols(); !status.ok()) return status;
    if (is_placed)
      memory_.PlanProgram(/*reorder=*/false, options.keep_inputs, std::move(scratch));
    else
      PlanWithStrips(options, scratch);
    memory_.PlanDevices();
    return absl::OkStatus();
  }

 private:
  // Strips are chosen by what they are expected to save; where only memory counts, what the planner
  // makes of that decides.
  void PlanWithStrips(const ProgramOptions& options, const std::vector<StepScratch>& scratch) {
    std::vector<StripUse> uses = {options.strips};
    if (options.strips == StripUse::kMemory) uses.push_back(StripUse::kLatency);
    std::vector<Constant> weights = std::move(program_.weights);
    const Program whole = program_;
    Program best;
    for (const StripUse use : uses) {
      program_ = whole;
      std::vector<StepScratch> with_rows = scratch;
      ChooseStrips(use, &program_, &with_rows);
      memory_.PlanProgram(/*reorder=*/true, options.keep_inputs, std::move(with_rows));
      if (best.steps.empty() || program_.memory.arena_bytes < best.memory.arena_bytes)
        best = std::move(program_);
    }
    program_ = std::move(best);
    program_.weights = std::move(weights);
  }

  // The tensors of states have been added as arguments; they only lie in other memory.
  absl::Status AddStates(std::span<Node* const> order) {
    for (Node* node : order) {
      if (node->node_class() != NodeClass::kArg || !IsState(*node)) continue;
      int weight = -1;
      if (StartOf(*node) == StateStart::kVariable) {
        const auto initial = initial_states_.find(StateName(*node));
        if (initial == initial_states_.end() || initial->second.type != node->type())
          return absl::InternalError(fmt::format("{} has no initial value", node->name()));
        weight = tensors_.WeightOf(initial->second);
      }
      Program::Tensor& tensor = program_.tensors[tensors_.TensorOf({node, 0}, kHostSpace)];
      tensor.state = static_cast<int>(program_.states.size());
      program_.states.push_back({StateName(*node), node->type(), weight});
    }
    return absl::OkStatus();
  }

  // A state's result is no output of the program: it is what the state becomes.
  absl::Status AddUpdate(const Node& next) {
    const std::string name = StateName(next);
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      const int state = program_.tensors[i].state;
      if (state < 0 || program_.states[state].name != name) continue;
      program_.updates.push_back(
          {static_cast<int>(i), tensors_.TensorOf(next.input(0), kHostSpace)});
      return absl::OkStatus();
    }
    return absl::InternalError(fmt::format("{} is no state", name));
  }

  absl::Status AddSteps(std::span<Node* const> order, int space, std::vector<Program::Step>* steps,
                        std::vector<StepScratch>* scratch) {
    for (const Node* node : order)
      if (absl::Status status = AddStep(node, space, steps, scratch); !status.ok()) return status;
    return absl::OkStatus();
  }

  absl::Status AddStep(const Node* node, int space, std::vector<Program::Step>* steps,
                       std::vector<StepScratch>* scratch) {
    if (node->node_class() == NodeClass::kOp)
      steps->push_back(MakeStep(node, space, node->num_inputs()));
    return node->IsStructured() ? AddStructuredStep(node, space, steps, scratch) : absl::OkStatus();
  }

  // In the order of the partition.
  absl::Status AddPlacedSteps(std::vector<StepScratch>* scratch) {
    for (const PlacedSteps::Step& step : placed_.steps()) {
      if (step.is_copy()) {
        AddCopy(step);
        continue;
      }
      if (absl::Status s = AddStep(step.node, step.space, &program_.steps, scratch); !s.ok())
        return s;
      if (step.scratch_bytes > 0) program_.steps.back().scratch_bytes = step.scratch_bytes;
    }
    return absl::OkStatus();
  }

  void AddCopy(const PlacedSteps::Step& step) {
    const TensorTable::Copied copied = tensors_.AddCopy(step.node, step.copied_output, step.space);
    program_.steps.push_back({.node = step.node,
                              .is_copy = true,
                              .space = step.space,
                              .inputs = {copied.from},
                              .outputs = {copied.to}});
  }

  Program::Step MakeStep(const Node* node, int space, int num_inputs) {
    Program::Step step{.node = node, .space = space};
    for (int i = 0; i < num_inputs; ++i)
      step.inputs.push_back(tensors_.TensorOf(node->input(i), space));
    for (int i = 0; i < node->num_outputs(); ++i)
      step.outputs.push_back(tensors_.WrittenBy(node, i));
    if (!node->IsStructured()) step.attr_extents = symbols_.AttrExtents(node->attrs());
    return step;
  }

  absl::Status AddStructuredStep(const Node* node, int space, std::vector<Program::Step>* steps,
                                 std::vector<StepScratch>* scratch) {
    const bool is_loop = node->node_class() == NodeClass::kLinnetWhile;
    const int num_own = is_loop ? node->num_outputs() : 1;
    Program::Step step = MakeStep(node, space, num_own);
    std::vector<bool> listed(static_cast<size_t>(node->num_inputs()), false);
    for (const auto& graph : node->regions()) {
      const std::vector<Node*> arguments = RegionArguments(*graph);
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == nullptr) continue;
        const int input = InputOfArgument(node->node_class(), static_cast<int>(i));
        const bool is_variable = is_loop && input < num_own;
        const int tensor =
            is_variable ? step.outputs[i] : tensors_.TensorOf(node->input(input), space);
        tensors_.Identify(arguments[i], tensor);
        if (is_variable || arguments[i]->NumUses() == 0 || listed[static_cast<size_t>(input)])
          continue;
        listed[static_cast<size_t>(input)] = true;
        step.inputs.push_back(tensor);
      }
    }
    StepScratch memory{.step = static_cast<int>(steps->size())};
    for (const auto& graph : node->regions()) {
      program_.regions.emplace_back();
      step.regions.push_back(static_cast<int>(program_.regions.size()));
      const bool is_body = is_loop && step.regions.size() == 2;
      const std::span<const int> variables = is_body ? std::span(step.outputs) : std::span<int>();
      if (absl::Status s = AddRegion(*graph, step.regions.back(), space, variables); !s.ok())
        return s;
      memory.bytes = std::max(memory.bytes, memory_.BytesOfRegion(step.regions.back()));
    }
    memory.regions = step.regions;
    scratch->push_back(std::move(memory));
    steps->push_back(std::move(step));
    return absl::OkStatus();
  }

  // `variables`: where the region is a loop's body, the tensors of the loop's variables.
  absl::Status AddRegion(const Graph& graph, int region, int space,
                         std::span<const int> variables) {
    const auto first = static_cast<int>(program_.tensors.size());
    const std::vector<Node*> order = TopologicalOrder(graph);
    for (const Node* node : order) tensors_.Add(node, placed_.SpaceOf(node), region);
    Program::Region built;
    std::vector<StepScratch> scratch;
    if (absl::Status s = AddSteps(order, space, &built.steps, &scratch); !s.ok()) return s;
    for (const Output result : RegionResults(graph))
      built.results.push_back(tensors_.TensorOf(result, space));
    if (absl::Status status = tensors_.CheckSizes(); !status.ok()) return status;
    OverwriteVariables(built, variables, program_.tensors);
    memory_.PlanRegion(region, first, std::move(scratch), &built);
    program_.regions[static_cast<size_t>(region) - 1] = std::move(built);
    return absl::OkStatus();
  }

  absl::Status AddPorts(std::span<Node* const> order, std::span<const PortName> inputs,
                        std::span<const PortName> outputs) {
    program_.inputs.resize(inputs.size());
    program_.outputs.resize(outputs.size());
    for (Node* node : order) {
      const bool arg = node->node_class() == NodeClass::kArg;
      if (!arg && node->node_class() != NodeClass::kRetval) continue;
      if (IsState(*node)) {
        if (arg) continue;
        if (absl::Status status = AddUpdate(*node); !status.ok()) return status;
        continue;
      }
      const auto index = static_cast<size_t>(node->FindAttr("index")->i());
      std::span<const PortName> names = arg ? inputs : outputs;
      if (index >= names.size())
        return absl::InternalError(
            fmt::format("{} has index {} of {}", node->name(), index, names.size()));
      Program::Port& port = (arg ? program_.inputs : program_.outputs)[index];
      port.name = names[index];
      port.tensor = tensors_.TensorOf(arg ? Output{node, 0} : node->input(0), kHostSpace);
    }
    return absl::OkStatus();
  }

  // Runs once all symbols that are used are known: which steps set them, and whether all are set.
  absl::Status AddSymbols() {
    program_.symbols = symbols_.Take();
    std::vector<bool> is_set(program_.symbols.size());
    for (Program::Step& step : program_.steps) {
      if (!step.is_copy) step.sets = symbols_.Sets(step.node);
      for (const PlanSymbols::Set& set : step.sets) is_set[static_cast<size_t>(set.symbol)] = true;
    }
    for (const Program::Port& port : program_.inputs)
      for (const int symbol : program_.tensors[port.tensor].symbols)
        if (symbol >= 0) is_set[static_cast<size_t>(symbol)] = true;
    for (const PlanSymbols::Symbol& symbol : program_.symbols)
      if (symbol.terms.size() > kMaxSymbolTerms)
        return absl::UnimplementedError(fmt::format(
            "the extent {} follows from more than {} others", symbol.name, kMaxSymbolTerms));
    for (size_t i = 0; i < program_.symbols.size(); ++i)
      if (program_.symbols[i].terms.empty() && !is_set[i])
        return absl::InternalError(
            fmt::format("nothing sets the extent '{}'", program_.symbols[i].name));
    return absl::OkStatus();
  }

  const Graph& graph_;
  const std::map<std::string, Constant>& initial_states_;
  const PlacedSteps placed_;
  PlanSymbols symbols_;
  Program& program_;
  TensorTable tensors_;
  ProgramMemory memory_;
};

}  // namespace

absl::StatusOr<Program> BuildProgram(const Graph& graph, std::string key,
                                     std::span<const PortName> inputs,
                                     std::span<const PortName> outputs,
                                     const std::map<std::string, Constant>& states,
                                     const Partition& partition, const DeviceSet& devices,
                                     const ProgramOptions& options) {
  absl::StatusOr<PlacedSteps> placed = PlacedSteps::Of(partition, devices);
  if (!placed.ok()) return placed.status();
  Program program;
  program.key = std::move(key);
  Builder builder(graph, states, *std::move(placed), &program);
  if (absl::Status status = builder.Build(inputs, outputs, options); !status.ok()) return status;
  return program;
}

}  // namespace linnet::converter
