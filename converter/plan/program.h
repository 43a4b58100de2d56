// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/place/device.h"
#include "converter/place/partition.h"
#include "converter/plan/plan_symbols.h"
#include "converter/plan/planner/plan_problem.h"
#include "converter/plan/strip_use.h"
#include "runtime/core/layout.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {

// Of buffers in the memory of devices, whatever their layout.
inline constexpr int kDeviceAlignment = kRows4Alignment;

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
    // A weight, a state, or bytes of a buffer in the memory `space`.
    int weight = -1;  // index into `weights`
    int state = -1;   // index into `states`
    int space = 0;
    int buffer = -1;  // index into the buffers of the space
    int64_t offset = 0;
    int region = 0;          // whose steps write it
    bool in_strips = false;  // only some rows of it exist, while strips run: it has no memory
    int overwrites = -1;     // the variable of a loop in whose place it lies, as its next value
    std::string name;        // of the node that makes it
    // By dimension, -1 where the extent is fixed; empty: all are. `type` has the largest extents.
    std::vector<int> symbols;
    bool in_arena() const { return weight < 0 && state < 0 && !in_strips; }
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
    bool is_copy = false;              // of one of the node's outputs, to another memory
    int space = 0;                     // whose device runs it
    std::vector<int> inputs, outputs;  // tensors
    std::vector<PlanSymbols::AttrExtent> attr_extents;
    std::vector<PlanSymbols::Set> sets;
    std::vector<int> regions;  // of a structured node, by number; 0 would be the program
    // Of a device's step, or the first of strips: memory of the space that it may use while it
    // runs.
    int64_t scratch_bytes = 0;
    int scratch = -1;  // its buffer, once the memory is planned
  };
  // What a structured step runs. It reads tensors of the regions around it in place: those that its
  // step lists, and the variables of a While, which are the step's outputs.
  struct Region {
    std::vector<Step> steps;
    std::vector<int> results;  // tensors
  };
  // Steps [first, first + count) that run together, `rows` rows of the last one's output at a time
  // (runtime/strips).
  struct Strips {
    int first = 0, count = 0;
    int64_t rows = 0;
    int64_t bytes = 0;  // that their rows take; the first step has it as scratch
    int overwrites =
        -1;  // an input over which they may write their output, if nothing else reads it
  };
  struct Port {
    PortName name;
    int tensor = -1;
  };
  // Memory of a device that is not the host.
  struct Space {
    std::string device;              // key: "vulkan"
    Layout layout = Layout::kDense;  // of all tensors in it
    planner::MemoryPlan memory;
  };

  std::string key;                     // of the signature
  std::string variant = kHostVariant;  // which form of it this is (schema/README.md)
  std::vector<Tensor> tensors;
  std::vector<Step> steps;
  std::vector<Strips> strips;   // of `steps`, in order
  std::vector<Region> regions;  // regions[i] is region i + 1 of the plan
  std::vector<Port> inputs, outputs;
  std::vector<State> states;
  std::vector<Update> updates;
  std::vector<PlanSymbols::Symbol> symbols;
  std::vector<Constant> weights;  // distinct values, in order of first use
  planner::MemoryPlan memory;     // the host's; the buffers of regions behind those of the program
  std::vector<Space> devices;     // devices[i] has space i + 1

  Layout LayoutOf(int space) const {
    return space == 0 ? Layout::kDense : devices[static_cast<size_t>(space) - 1].layout;
  }
};

struct ProgramOptions {
  bool keep_inputs = false;  // no step writes where an input lies
  StripUse strips = StripUse::kNone;
};

// `inputs` and `outputs` name the _Arg and _Retval nodes by their index; `states` has the initial
// values of the states in the graph (graph/session_state.h). Where `partition` has steps on devices
// other than the host they run in its order, with its copies; else in the order that needs the
// least memory, those that run in strips one behind the other. Fails only for a graph that
// the verifier would refuse, or for devices whose steps want a value in the host's memory.
absl::StatusOr<Program> BuildProgram(const Graph& graph, std::string key,
                                     std::span<const PortName> inputs,
                                     std::span<const PortName> outputs,
                                     const std::map<std::string, Constant>& states = {},
                                     const Partition& partition = {},
                                     const DeviceSet& devices = DeviceSet({}),
                                     const ProgramOptions& options = {});

}  // namespace linnet::converter
