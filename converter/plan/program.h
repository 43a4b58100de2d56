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
    int buffer = -1;  // index into memory.buffers, at
    int64_t offset = 0;
    std::string name;  // of the node that makes it
  };
  struct Step {
    const Node* node = nullptr;
    std::vector<int> inputs, outputs;  // tensors
  };
  struct Port {
    PortName name;
    int tensor = -1;
  };

  std::string key;  // of the signature
  std::vector<Tensor> tensors;
  std::vector<Step> steps;
  std::vector<Port> inputs, outputs;
  std::vector<Constant> weights;  // distinct values, in order of first use
  planner::MemoryPlan memory;
  planner::Lifetimes lifetimes;  // by tensor
};

// `inputs` and `outputs` name the _Arg and _Retval nodes by their index. Fails only for a graph
// that the verifier would refuse.
absl::StatusOr<Program> BuildProgram(const Graph& graph, std::string key,
                                     std::span<const PortName> inputs,
                                     std::span<const PortName> outputs);

}  // namespace linnet::converter
