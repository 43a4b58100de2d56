// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/program.h"

#include <algorithm>
#include <unordered_map>

#include "converter/graph/algorithm.h"
#include "converter/graph/session_state.h"
#include "converter/graph/structured_node.h"
#include "converter/plan/alias_options.h"
#include "converter/plan/placed_steps.h"
#include "converter/plan/planner/planner.h"
#include "fmt/format.h"
#include "runtime/core/region.h"
#include "runtime/plan/file_header.h"
#include "runtime/plan/plan_view.h"

namespace linnet::converter {
namespace {

using planner::AliasOption;

class Builder {
 public:
  Builder(const Graph& graph, const std::map<std::string, Constant>& states, PlacedSteps placed,
          Program* program)
      : graph_(graph),
        initial_states_(states),
        placed_(std::move(placed)),
        symbols_(graph.shapes()),
        program_(*program) {}

  absl::Status Build(std::span<const PortName> inputs, std::span<const PortName> outputs) {
    const std::vector<Node*> order = TopologicalOrder(graph_);
    for (Node* node : order) AddTensors(node);
    if (absl::Status status = AddStates(order); !status.ok()) return status;
    std::vector<Scratch> scratch;
    const bool is_placed = !placed_.steps().empty();
    if (absl::Status s =
            is_placed ? AddPlacedSteps(&scratch) : AddSteps(order, &program_.steps, &scratch);
        !s.ok())
      return s;
    if (absl::Status status = AddPorts(order, inputs, outputs); !status.ok()) return status;
    if (absl::Status status = CheckSizes(); !status.ok()) return status;
    if (absl::Status status = AddSymbols(); !status.ok()) return status;
    PlanProgram(&scratch);
    for (const std::string& device : placed_.devices()) PlanDevice(device);
    return absl::OkStatus();
  }

 private:
  // Memory of the regions of one step, which they use at different times.
  struct Scratch {
    int step = 0;
    std::vector<int> regions;
    int64_t bytes = 0;
    planner::Place place;  // in the memory of the region around
  };
  // Tensors that are planned together.
  struct Area {
    int region = 0;
    int space = 0;
  };
  // A region planned on its own, as if it were the program.
  struct RegionPlan {
    int first = 0, end = 0;  // its tensors, and those of regions inside
    planner::MemoryPlan memory;
    std::vector<Scratch> scratch;
  };

  // One tensor per output of arguments and ops; constants when somebody first reads them.
  void AddTensors(Node* node, int region = 0) {
    if (node->node_class() != NodeClass::kOp && node->node_class() != NodeClass::kArg &&
        !node->IsStructured())
      return;
    // The arguments of a region are tensors of the regions around it.
    if (!first_tensors_.try_emplace(node, static_cast<int>(program_.tensors.size())).second) return;
    for (int i = 0; i < node->num_outputs(); ++i)
      program_.tensors.push_back({.type = node->type(i),
                                  .space = placed_.SpaceOf(node),
                                  .region = region,
                                  .name = node->name(),
                                  .symbols = symbols_.Numbers(node, i)});
    for (int i = 0; i < node->num_outputs(); ++i) SetLargestExtents(program_.tensors.end()[-1 - i]);
  }

  // The runtime wants exactly what follows from the symbols, which may have become fewer since the
  // type was inferred.
  void SetLargestExtents(Program::Tensor& tensor) const {
    for (size_t d = 0; d < tensor.symbols.size(); ++d)
      if (tensor.symbols[d] >= 0)
        tensor.type.shape[static_cast<int>(d)] = symbols_.Largest(tensor.symbols[d]);
  }

  // Their tensors are there already: they only lie elsewhere.
  absl::Status AddStates(std::span<Node* const> order) {
    for (Node* node : order) {
      if (node->node_class() != NodeClass::kArg || !IsState(*node)) continue;
      int weight = -1;
      if (StartOf(*node) == StateStart::kVariable) {
        const auto initial = initial_states_.find(StateName(*node));
        if (initial == initial_states_.end() || initial->second.type != node->type())
          return absl::InternalError(fmt::format("{} has no initial value", node->name()));
        weight = WeightOf(initial->second);
      }
      Program::Tensor& tensor = program_.tensors[TensorOf({node, 0})];
      tensor.state = static_cast<int>(program_.states.size());
      program_.states.push_back({StateName(*node), node->type(), weight});
    }
    return absl::OkStatus();
  }

  // The states' ends are no ports.
  absl::Status AddUpdate(const Node& next) {
    const std::string name = StateName(next);
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      const int state = program_.tensors[i].state;
      if (state < 0 || program_.states[state].name != name) continue;
      program_.updates.push_back({static_cast<int>(i), TensorOf(next.input(0))});
      return absl::OkStatus();
    }
    return absl::InternalError(fmt::format("{} is no state", name));
  }

  // As the steps of the device at hand see it.
  int TensorOf(Output value) {
    const auto [first, added] =
        first_tensors_.try_emplace(value.node, static_cast<int>(program_.tensors.size()));
    if (added) {
      const Constant& constant = value.node->constant();
      program_.tensors.push_back(
          {.type = constant.type, .weight = WeightOf(constant), .name = value.node->name()});
    }
    const int found = first->second + value.index;
    const Program::Tensor& tensor = program_.tensors[found];
    if (tensor.weight >= 0 || tensor.space == space_) return found;
    return copies_.at({found, space_});
  }

  // Equal constants share one weight.
  int WeightOf(const Constant& constant) {
    const std::string_view bytes(reinterpret_cast<const char*>(constant.bytes.data()),
                                 constant.bytes.size());
    // Sampling keeps the key cheap for large weights: SameAs decides.
    const std::string_view sample = bytes.substr(0, 256);
    const size_t key = std::hash<std::string_view>()(sample) ^ bytes.size();
    auto [first, last] = weights_.equal_range(key);
    for (; first != last; ++first) {
      const Constant& other = program_.weights[first->second];
      if (other.encoding == constant.encoding && other.affine.scale() == constant.affine.scale() &&
          other.affine.min() == constant.affine.min() &&
          std::ranges::equal(other.bytes, constant.bytes))
        return first->second;
    }
    const int index = static_cast<int>(program_.weights.size());
    weights_.emplace(key, index);
    program_.weights.push_back(constant);
    return index;
  }

  absl::Status AddSteps(std::span<Node* const> order, std::vector<Program::Step>* steps,
                        std::vector<Scratch>* scratch) {
    for (const Node* node : order)
      if (absl::Status status = AddStep(node, steps, scratch); !status.ok()) return status;
    return absl::OkStatus();
  }

  absl::Status AddStep(const Node* node, std::vector<Program::Step>* steps,
                       std::vector<Scratch>* scratch) {
    if (node->node_class() == NodeClass::kOp) steps->push_back(MakeStep(node, node->num_inputs()));
    if (!node->IsStructured()) return absl::OkStatus();
    scratch->push_back({.step = static_cast<int>(steps->size())});
    steps->emplace_back();
    absl::StatusOr<Program::Step> step = AddRegions(node, &scratch->back());
    if (!step.ok()) return step.status();
    steps->back() = *std::move(step);
    return absl::OkStatus();
  }

  // In the order of the partition.
  absl::Status AddPlacedSteps(std::vector<Scratch>* scratch) {
    for (const PlacedSteps::Step& step : placed_.steps()) {
      space_ = step.space;
      if (step.is_copy()) {
        AddCopy(step);
      } else if (absl::Status s = AddStep(step.node, &program_.steps, scratch); !s.ok()) {
        return s;
      }
    }
    space_ = 0;
    return absl::OkStatus();
  }

  void AddCopy(const PlacedSteps::Step& step) {
    const int original = first_tensors_.at(step.node) + step.copied_output;
    const auto on_host = copies_.find({original, 0});
    const int from = on_host == copies_.end() ? original : on_host->second;
    const int copy = static_cast<int>(program_.tensors.size());
    program_.tensors.push_back({.type = program_.tensors[original].type,
                                .space = step.space,
                                .name = program_.tensors[original].name});
    copies_[{original, step.space}] = copy;
    program_.steps.push_back({.node = step.node,
                              .is_copy = true,
                              .space = step.space,
                              .inputs = {from},
                              .outputs = {copy}});
  }

  Program::Step MakeStep(const Node* node, int num_inputs) {
    Program::Step step{.node = node, .space = space_};
    for (int i = 0; i < num_inputs; ++i) step.inputs.push_back(TensorOf(node->input(i)));
    for (int i = 0; i < node->num_outputs(); ++i)
      step.outputs.push_back(first_tensors_.at(node) + i);
    if (!node->IsStructured()) step.attr_extents = symbols_.AttrExtents(node->attrs());
    return step;
  }

  absl::StatusOr<Program::Step> AddRegions(const Node* node, Scratch* scratch) {
    const bool is_loop = node->node_class() == NodeClass::kLoop;
    const int num_own = is_loop ? node->num_outputs() : 1;
    Program::Step step = MakeStep(node, num_own);
    std::vector<bool> listed(static_cast<size_t>(node->num_inputs()), false);
    for (const auto& graph : node->regions()) {
      const std::vector<Node*> arguments = RegionArguments(*graph);
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == nullptr) continue;
        const int input = InputOfArgument(node->node_class(), static_cast<int>(i));
        const bool is_variable = is_loop && input < num_own;
        const int tensor = is_variable ? step.outputs[i] : TensorOf(node->input(input));
        first_tensors_[arguments[i]] = tensor;
        if (is_variable || arguments[i]->NumUses() == 0 || listed[static_cast<size_t>(input)])
          continue;
        listed[static_cast<size_t>(input)] = true;
        step.inputs.push_back(tensor);
      }
    }
    for (const auto& graph : node->regions()) {
      program_.regions.emplace_back();
      step.regions.push_back(static_cast<int>(program_.regions.size()));
      const bool is_body = is_loop && step.regions.size() == 2;
      const std::span<const int> variables = is_body ? std::span(step.outputs) : std::span<int>();
      if (absl::Status s = AddRegion(*graph, step.regions.back(), variables); !s.ok()) return s;
      scratch->bytes = std::max(scratch->bytes, plans_.at(step.regions.back()).memory.arena_bytes);
    }
    scratch->regions = step.regions;
    return step;
  }

  // `variables`: those of the loop whose body it is.
  absl::Status AddRegion(const Graph& graph, int region, std::span<const int> variables) {
    const auto first = static_cast<int>(program_.tensors.size());
    const std::vector<Node*> order = TopologicalOrder(graph);
    for (Node* node : order) AddTensors(node, region);
    Program::Region built;
    RegionPlan plan{.first = first};
    if (absl::Status s = AddSteps(order, &built.steps, &plan.scratch); !s.ok()) return s;
    for (const Output result : RegionResults(graph)) built.results.push_back(TensorOf(result));
    if (absl::Status status = CheckSizes(); !status.ok()) return status;
    OverwriteVariables(built, variables, program_.tensors);
    const Area area{.region = region};
    planner::MemoryProblem problem = MakeProblem(area, first, built.steps, plan.scratch);
    for (const int result : built.results)
      if (IsOf(area, result)) problem.values[static_cast<size_t>(result - first)].is_output = true;
    plan.memory = planner::PlanMemory(problem, {});
    plan.end = static_cast<int>(program_.tensors.size());
    PlaceTensors(area, first, plan.memory);
    PlaceScratch(first, plan.memory, &plan.scratch);
    Reorder(plan.memory, &built.steps);
    program_.regions[static_cast<size_t>(region) - 1] = std::move(built);
    plans_[region] = std::move(plan);
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
      port.tensor = arg ? TensorOf({node, 0}) : TensorOf(node->input(0));
    }
    return absl::OkStatus();
  }

  // What sets the symbols that are used, once all uses are known.
  absl::Status AddSymbols() {
    std::vector<bool> is_set;
    for (Program::Step& step : program_.steps) {
      if (!step.is_copy) step.sets = symbols_.Sets(step.node);
      for (const PlanSymbols::Set& set : step.sets) {
        is_set.resize(std::max(is_set.size(), static_cast<size_t>(set.symbol) + 1));
        is_set[static_cast<size_t>(set.symbol)] = true;
      }
    }
    for (const Program::Port& port : program_.inputs)
      for (const int symbol : program_.tensors[port.tensor].symbols) {
        is_set.resize(std::max(is_set.size(), static_cast<size_t>(symbol + 1)));
        if (symbol >= 0) is_set[static_cast<size_t>(symbol)] = true;
      }
    program_.symbols = symbols_.Take();
    for (const PlanSymbols::Symbol& symbol : program_.symbols)
      if (symbol.terms.size() > kMaxSymbolTerms)
        return absl::UnimplementedError(fmt::format(
            "the extent {} follows from more than {} others", symbol.name, kMaxSymbolTerms));
    is_set.resize(program_.symbols.size());
    for (size_t i = 0; i < program_.symbols.size(); ++i)
      if (program_.symbols[i].terms.empty() && !is_set[i])
        return absl::InternalError(
            fmt::format("nothing sets the extent '{}'", program_.symbols[i].name));
    return absl::OkStatus();
  }

  // So that no sum of the planner overflows, and every plan can be opened.
  absl::Status CheckSizes() {
    for (; num_checked_ < program_.tensors.size(); ++num_checked_) {
      const Program::Tensor& tensor = program_.tensors[num_checked_];
      int64_t bytes = 0;
      if (!tensor.type.shape.NumElementsChecked(&bytes) ||
          !CheckedMul(bytes, DTypeBytes(tensor.type.dtype), &bytes) || bytes > kMaxSpaceBytes ||
          (total_bytes_ += AlignUp(bytes, kHostAlignment)) > kMaxSpaceBytes)
        return absl::InvalidArgumentError(
            fmt::format("with '{}' the tensors take more than the {} bytes that a plan may have",
                        tensor.name, kMaxSpaceBytes));
    }
    return absl::OkStatus();
  }

  // Does a step of the area, or the caller, write the tensor?
  bool IsOf(const Area& area, int tensor) const {
    const Program::Tensor& info = program_.tensors[tensor];
    return info.in_arena() && info.region == area.region && info.space == area.space &&
           info.overwrites < 0;
  }

  // What sets the extents that the step's attributes take.
  std::vector<const Node*> SourcesOf(const Program::Step& step) const {
    if (step.is_copy || step.node->IsStructured()) return {};
    return symbols_.Sources(step.node->attrs());
  }

  // Of the tensors from `first` on; what is not the area's own gets no memory here. Values behind
  // the tensors are the scratch of structured steps.
  planner::MemoryProblem MakeProblem(const Area& area, int first,
                                     std::span<const Program::Step> steps,
                                     std::span<const Scratch> scratch) const {
    planner::MemoryProblem problem;
    const auto end = static_cast<int>(program_.tensors.size());
    for (int i = first; i < end; ++i)
      problem.values.push_back({.bytes = IsOf(area, i) ? program_.tensors[i].type.bytes() : 0});
    for (const Program::Step& from : steps) {
      planner::Step step;
      for (int tensor : from.inputs)
        if (IsOf(area, tensor)) step.inputs.push_back(tensor - first);
      for (int tensor : from.outputs)
        if (IsOf(area, tensor)) step.outputs.push_back(tensor - first);
      for (const Node* source : SourcesOf(from))
        for (size_t k = 0; k < problem.steps.size(); ++k)
          if (steps[k].node == source) step.after.push_back(static_cast<int>(k));
      const auto index = static_cast<int>(problem.steps.size());
      problem.steps.push_back(std::move(step));
      for (const AliasOption& alias : AliasesOf(from, program_.tensors, graph_.Varies(*from.node)))
        if (IsOf(area, alias.inner) && IsOf(area, alias.outer))
          problem.aliases.push_back(
              {alias.kind, index, alias.inner - first, alias.outer - first, alias.offset});
    }
    for (const Scratch& memory : scratch) {
      problem.steps[memory.step].outputs.push_back(static_cast<int>(problem.values.size()));
      problem.values.push_back({.bytes = memory.bytes});
    }
    return problem;
  }

  void PlanProgram(std::vector<Scratch>* scratch) {
    const Area host;
    planner::MemoryProblem problem = MakeProblem(host, 0, program_.steps, *scratch);
    for (const Program::Port& port : program_.inputs) problem.values[port.tensor].is_input = true;
    const auto is_read_later = [&](int tensor) {
      if (program_.tensors[tensor].in_arena()) problem.values[tensor].is_output = true;
    };
    for (const Program::Port& port : program_.outputs) is_read_later(port.tensor);
    for (const Program::Update& update : program_.updates) is_read_later(update.next);
    program_.memory = planner::PlanMemory(problem, {.reorder = placed_.steps().empty()});
    program_.lifetimes = planner::ComputeLifetimes(problem, program_.memory.order);
    PlaceTensors(host, 0, program_.memory);
    PlaceScratch(0, program_.memory, scratch);
    Reorder(program_.memory, &program_.steps);
    for (const Scratch& memory : *scratch) PlaceRegions(memory, program_.memory.buffers);
    for (Program::Tensor& tensor : program_.tensors) {
      if (tensor.overwrites < 0) continue;
      tensor.buffer = program_.tensors[tensor.overwrites].buffer;
      tensor.offset = program_.tensors[tensor.overwrites].offset;
    }
  }

  // Once the order of the steps is settled.
  void PlanDevice(const std::string& device) {
    program_.devices.push_back({.device = device});
    const Area area{.space = static_cast<int>(program_.devices.size())};
    const planner::MemoryProblem problem = MakeProblem(area, 0, program_.steps, {});
    planner::MemoryPlan& memory = program_.devices.back().memory;
    memory = planner::PlanMemory(problem, {.alignment = kDeviceAlignment, .reorder = false});
    PlaceTensors(area, 0, memory);
  }

  // The following put the planner's results into tensors and steps.
  void PlaceTensors(const Area& area, int first, const planner::MemoryPlan& memory) {
    for (int i = first; i < static_cast<int>(program_.tensors.size()); ++i) {
      if (!IsOf(area, i)) continue;
      program_.tensors[i].buffer = memory.places[i - first].buffer;
      program_.tensors[i].offset = memory.places[i - first].offset;
    }
  }

  void PlaceScratch(int first, const planner::MemoryPlan& memory, std::vector<Scratch>* scratch) {
    const size_t behind = program_.tensors.size() - static_cast<size_t>(first);
    for (size_t i = 0; i < scratch->size(); ++i) (*scratch)[i].place = memory.places[behind + i];
  }

  static void Reorder(const planner::MemoryPlan& memory, std::vector<Program::Step>* steps) {
    std::vector<Program::Step> ordered;
    for (int index : memory.order) ordered.push_back(std::move((*steps)[index]));
    *steps = std::move(ordered);
  }

  // Once it is known where the scratch of a step lies, among `around`: its regions' buffers are
  // parts of it.
  void PlaceRegions(const Scratch& scratch, std::span<const planner::BufferPlace> around) {
    const planner::BufferPlace base =
        scratch.place.buffer < 0 ? planner::BufferPlace() : around[scratch.place.buffer];
    for (const int region : scratch.regions) {
      const auto first = static_cast<int>(program_.memory.buffers.size());
      const RegionPlan& plan = plans_.at(region);
      std::vector<planner::BufferPlace> buffers = plan.memory.buffers;
      for (planner::BufferPlace& buffer : buffers)
        buffer = {base.offset + buffer.offset, buffer.bytes, base.first, base.last};
      for (int i = plan.first; i < plan.end; ++i)
        if (IsOf({.region = region}, i) && program_.tensors[i].buffer >= 0)
          program_.tensors[i].buffer += first;
      program_.memory.buffers.insert(program_.memory.buffers.end(), buffers.begin(), buffers.end());
      for (const Scratch& inner : plan.scratch) PlaceRegions(inner, buffers);
    }
  }

  const Graph& graph_;
  const std::map<std::string, Constant>& initial_states_;
  const PlacedSteps placed_;
  int space_ = 0;  // of the step at hand
  PlanSymbols symbols_;
  Program& program_;
  // Of each node, looked up only; of a constant when somebody first reads it.
  std::unordered_map<const Node*, int> first_tensors_;
  std::map<std::pair<int, int>, int> copies_;  // of a tensor, in a space; looked up only
  std::unordered_multimap<size_t, int> weights_;
  std::map<int, RegionPlan> plans_;  // by region
  size_t num_checked_ = 0;           // tensors, by CheckSizes
  int64_t total_bytes_ = 0;
};

}  // namespace

schema::Control ControlOf(const Program::Step& step) {
  if (step.is_copy) return schema::Control::Copy;
  if (!step.node->IsStructured()) return schema::Control::None;
  return step.node->node_class() == NodeClass::kLoop ? schema::Control::While : schema::Control::If;
}

absl::StatusOr<Program> BuildProgram(const Graph& graph, std::string key,
                                     std::span<const PortName> inputs,
                                     std::span<const PortName> outputs,
                                     const std::map<std::string, Constant>& states,
                                     const Partition& partition, const DeviceSet& devices) {
  absl::StatusOr<PlacedSteps> placed = PlacedSteps::Of(partition, devices);
  if (!placed.ok()) return placed.status();
  Program program;
  program.key = std::move(key);
  Builder builder(graph, states, *std::move(placed), &program);
  if (absl::Status status = builder.Build(inputs, outputs); !status.ok()) return status;
  return program;
}

}  // namespace linnet::converter
