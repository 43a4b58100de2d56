// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/program.h"

#include <algorithm>
#include <unordered_map>

#include "converter/graph/algorithm.h"
#include "converter/graph/session_state.h"
#include "converter/plan/planner.h"
#include "fmt/format.h"
#include "runtime/core/region.h"
#include "runtime/ops/concat.h"
#include "runtime/ops/contiguous.h"
#include "runtime/ops/slice.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

using planner::AliasKind;
using planner::AliasOption;

// ContiguousOffset in bytes, -1 likewise.
int64_t ByteOffset(const TensorType& whole, const Shape& begin, const Shape& size) {
  const int64_t elements = ContiguousOffset(whole.shape, begin, size);
  return elements < 0 ? -1 : elements * DTypeBytes(whole.dtype);
}

class Builder {
 public:
  Builder(const Graph& graph, const std::map<std::string, Constant>& states, Program* program)
      : graph_(graph),
        initial_states_(states),
        program_(*program),
        first_tensors_(graph.num_node_ids(), -1) {}

  absl::Status Build(std::span<const PortName> inputs, std::span<const PortName> outputs) {
    const std::vector<Node*> order = TopologicalOrder(graph_);
    for (Node* node : order) AddTensors(node);
    if (absl::Status status = AddStates(order); !status.ok()) return status;
    for (Node* node : order)
      if (node->node_class() == NodeClass::kOp) AddStep(node);
    if (absl::Status status = AddPorts(order, inputs, outputs); !status.ok()) return status;
    if (absl::Status status = CheckSizes(); !status.ok()) return status;
    PlanMemory();
    return absl::OkStatus();
  }

 private:
  // One tensor per output of arguments and ops; constants when somebody first reads them.
  void AddTensors(Node* node) {
    if (node->node_class() != NodeClass::kOp && node->node_class() != NodeClass::kArg) return;
    first_tensors_[node->id()] = static_cast<int>(program_.tensors.size());
    for (int i = 0; i < node->num_outputs(); ++i)
      program_.tensors.push_back({.type = node->type(i), .name = node->name()});
  }

  // Their tensors are there already: they only lie elsewhere.
  absl::Status AddStates(std::span<Node* const> order) {
    for (Node* node : order) {
      if (node->node_class() != NodeClass::kArg || !IsState(*node)) continue;
      const auto initial = initial_states_.find(StateName(*node));
      if (initial == initial_states_.end() || initial->second.type != node->type())
        return absl::InternalError(fmt::format("{} has no initial value", node->name()));
      Program::Tensor& tensor = program_.tensors[TensorOf({node, 0})];
      tensor.state = static_cast<int>(program_.states.size());
      program_.states.push_back({initial->first, node->type(), WeightOf(initial->second)});
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

  int TensorOf(Output value) {
    int& first = first_tensors_[value.node->id()];
    if (first < 0) {
      first = static_cast<int>(program_.tensors.size());
      const Constant& constant = value.node->constant();
      program_.tensors.push_back(
          {.type = constant.type, .weight = WeightOf(constant), .name = value.node->name()});
    }
    return first + value.index;
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

  void AddStep(Node* node) {
    Program::Step step{.node = node};
    for (int i = 0; i < node->num_inputs(); ++i) step.inputs.push_back(TensorOf(node->input(i)));
    for (int i = 0; i < node->num_outputs(); ++i) step.outputs.push_back(TensorOf({node, i}));
    program_.steps.push_back(std::move(step));
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

  // So that no sum of the planner overflows, and every plan can be opened.
  absl::Status CheckSizes() const {
    int64_t total = 0;
    for (const Program::Tensor& tensor : program_.tensors) {
      int64_t bytes = 0;
      if (!tensor.type.shape.NumElementsChecked(&bytes) ||
          !CheckedMul(bytes, DTypeBytes(tensor.type.dtype), &bytes) || bytes > kMaxSpaceBytes ||
          (total += AlignUp(bytes, kHostAlignment)) > kMaxSpaceBytes)
        return absl::InvalidArgumentError(
            fmt::format("with '{}' the tensors take more than the {} bytes that a plan may have",
                        tensor.name, kMaxSpaceBytes));
    }
    return absl::OkStatus();
  }

  void PlanMemory() {
    planner::MemoryProblem problem;
    for (const Program::Tensor& tensor : program_.tensors)
      problem.values.push_back({.bytes = tensor.in_arena() ? tensor.type.bytes() : 0});
    for (const Program::Port& port : program_.inputs) problem.values[port.tensor].is_input = true;
    const auto is_read_later = [&](int tensor) {
      if (program_.tensors[tensor].in_arena()) problem.values[tensor].is_output = true;
    };
    for (const Program::Port& port : program_.outputs) is_read_later(port.tensor);
    for (const Program::Update& update : program_.updates) is_read_later(update.next);
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      planner::Step step;
      for (int tensor : program_.steps[i].inputs)
        if (program_.tensors[tensor].in_arena()) step.inputs.push_back(tensor);
      step.outputs = program_.steps[i].outputs;
      problem.steps.push_back(std::move(step));
      AddAliases(static_cast<int>(i), &problem.aliases);
    }
    program_.memory = planner::PlanMemory(problem, {});
    program_.lifetimes = planner::ComputeLifetimes(problem, program_.memory.order);
    Reorder();
  }

  void AddAliases(int index, std::vector<AliasOption>* aliases) {
    const Program::Step& step = program_.steps[index];
    const uint32_t traits = FindOp(step.node->kind())->traits;
    const auto add = [&](AliasKind kind, int inner, int outer, int64_t offset) {
      aliases->push_back({kind, index, inner, outer, offset});
    };
    const auto may_share = [&](int input) {
      return program_.tensors[input].in_arena() &&
             program_.tensors[input].type.bytes() == program_.tensors[step.outputs[0]].type.bytes();
    };
    if ((traits & kAlias) && may_share(step.inputs[0]))
      add(AliasKind::kView, step.outputs[0], step.inputs[0], 0);
    if ((traits & kMayRunInPlace) && may_share(step.inputs[0]))
      add(AliasKind::kOverwrite, step.outputs[0], step.inputs[0], 0);
    if ((traits & kInPlaceSecond) && step.inputs.size() > 1 && may_share(step.inputs[1]))
      add(AliasKind::kOverwrite, step.outputs[0], step.inputs[1], 0);
    if (step.node->Is<ConcatAttrs>()) AddConcatAliases(step, add);
    if (step.node->Is<SliceAttrs>()) AddSliceAlias(step, add);
  }

  template <typename Add>
  void AddConcatAliases(const Program::Step& step, const Add& add) {
    const int axis = step.node->attrs<ConcatAttrs>().axis;
    const TensorType& whole = program_.tensors[step.outputs[0]].type;
    Shape begin(std::vector<int64_t>(whole.shape.rank(), 0));
    for (int input : step.inputs) {
      const Program::Tensor& part = program_.tensors[input];
      const int64_t offset = ByteOffset(whole, begin, part.type.shape);
      if (offset >= 0 && part.in_arena() && part.type.bytes() > 0)
        add(AliasKind::kPart, input, step.outputs[0], offset);
      begin[axis] += part.type.shape[axis];
    }
  }

  template <typename Add>
  void AddSliceAlias(const Program::Step& step, const Add& add) {
    const auto& slice = step.node->attrs<SliceAttrs>();
    const Program::Tensor& source = program_.tensors[step.inputs[0]];
    if (!source.in_arena() || slice.size.num_elements() == 0) return;
    for (int i = 0; i < slice.stride.rank(); ++i)
      if (slice.stride[i] != 1 && slice.size[i] > 1) return;
    const int64_t offset = ByteOffset(source.type, slice.begin, slice.size);
    if (offset >= 0) add(AliasKind::kView, step.outputs[0], step.inputs[0], offset);
  }

  // Puts the planner's results into tensors and steps.
  void Reorder() {
    std::vector<Program::Step> steps;
    for (int index : program_.memory.order) steps.push_back(std::move(program_.steps[index]));
    program_.steps = std::move(steps);
    for (size_t i = 0; i < program_.tensors.size(); ++i) {
      if (!program_.tensors[i].in_arena()) continue;
      program_.tensors[i].buffer = program_.memory.places[i].buffer;
      program_.tensors[i].offset = program_.memory.places[i].offset;
    }
  }

  const Graph& graph_;
  const std::map<std::string, Constant>& initial_states_;
  Program& program_;
  std::vector<int> first_tensors_;  // by node id, -1 before somebody reads the constant
  std::unordered_multimap<size_t, int> weights_;
};

}  // namespace

absl::StatusOr<Program> BuildProgram(const Graph& graph, std::string key,
                                     std::span<const PortName> inputs,
                                     std::span<const PortName> outputs,
                                     const std::map<std::string, Constant>& states) {
  Program program;
  program.key = std::move(key);
  if (absl::Status status = Builder(graph, states, &program).Build(inputs, outputs); !status.ok())
    return status;
  return program;
}

}  // namespace linnet::converter
