// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/plan/lower_bound.h"
#include "converter/plan/plan_problem.h"
#include "converter/plan/plan_symbols.h"

namespace linnet::converter {

// An input or output of a program under both of its names.
struct PortName {
  std::string name;    // signature key, else the node's name
  std::string source;  // "node:slot"
};

// A graph in the Linnet vocabulary turned into what a plan stores: steps in order of execution,
// tensors numbered, memory planned. Points into the graph, which outlives it.
struct Program {
  struct Tensor {
    TensorType type;
    int weight = -1;  // index into `weights`, or
    int state = -1;   // index into `states`, or
    int buffer = -1;  // index into memory.buffers, at
    int64_t offset = 0;
    int region = 0;    // whose steps write it
    std::string name;  // of the node that makes it
    std::vector<int>
        symbols;  // by dimension, -1 where it is fixed; empty: all are. `type` is the largest
    bool in_arena() const { return weight < 0 && state < 0; }
  };
  // What a session keeps from run to run.
  struct State {
    std::string name;
    TensorType type;
    int initial = -1;  // weight; -1 = zeros
  };
  struct Update {
    int state = -1, next = -1;  // tensors: the state takes that value when a run has succeeded
  };
  struct Step {
    const Node* node = nullptr;
    std::vector<int> inputs, outputs;  // tensors
    std::vector<PlanSymbols::AttrExtent> attr_extents;
    std::vector<PlanSymbols::Set> sets;
    std::vector<int> regions;          // of a structured node; region 0 is the program
  };
  // What a structured step runs. It reads tensors of the regions around it in place: those that its
  // step lists, and the variables of a While, which are the step's outputs.
  struct Region {
    std::vector<Step> steps;
    std::vector<int> results;  // tensors
  };
  struct Port {
    PortName name;
    int tensor = -1;
  };

  std::string key;  // of the signature
  std::vector<Tensor> tensors;
  std::vector<Step> steps;
  std::vector<Region> regions;  // regions[i] is region i + 1 of the plan
  std::vector<Port> inputs, outputs;
  std::vector<State> states;
  std::vector<Update> updates;
  std::vector<PlanSymbols::Symbol> symbols;
  std::vector<Constant> weights;  // distinct values, in order of first use
  planner::MemoryPlan memory;     // the buffers of regions behind those of the program
  planner::Lifetimes lifetimes;   // by tensor
};

// `inputs` and `outputs` name the _Arg and _Retval nodes by their index; `states` has the initial
// values of the states in the graph (graph/session_state.h). Fails only for a graph that the
// verifier would refuse.
absl::StatusOr<Program> BuildProgram(const Graph& graph, std::string key,
                                     std::span<const PortName> inputs,
                                     std::span<const PortName> outputs,
                                     const std::map<std::string, Constant>& states = {});

}  // namespace linnet::converter
