// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/plan/plan_symbols.h"
#include "converter/plan/program.h"

namespace linnet::converter {

// Which tensor of a program each value of the graph is, while the program is built: numbers values
// as they come, and adds their tensors and weights to the program.
class TensorTable {
 public:
  // A copy's ends, both of them tensors.
  struct Copied {
    int from = -1, to = -1;
  };

  TensorTable(PlanSymbols* symbols, Program* program) : symbols_(*symbols), program_(*program) {}

  // One tensor per output of an argument or op, which lies in `space` and is written by steps of
  // `region`. Constants get theirs when they are first read.
  void Add(const Node* node, int space, int region);
  // The argument of a region is `tensor`, of a region around it. REQUIRES: before Add of the
  // argument, which then adds nothing.
  void Identify(const Node* argument, int tensor) { first_tensors_[argument] = tensor; }
  // A further tensor in `space` for an output of a node that has been added. It is to be filled
  // from the host's memory where the value is there, else from where its node writes it.
  Copied AddCopy(const Node* node, int output, int space);

  // As steps on the device of `space` see it: there is the value itself, or a copy.
  int TensorOf(Output value, int space);
  // As its own node writes it.
  int WrittenBy(const Node* node, int output) const { return first_tensors_.at(node) + output; }
  // Equal constants share one weight.
  int WeightOf(const Constant& constant);

  // InvalidArgument once the tensors of all spaces together are too large. As long as it is ok, no
  // sum of the planner overflows, and every plan can be opened.
  absl::Status CheckSizes();

 private:
  PlanSymbols& symbols_;
  Program& program_;
  // By node, only looked up: the order of pointers must not matter.
  std::unordered_map<const Node*, int> first_tensors_;
  std::map<std::pair<int, int>, int> copies_;  // of a tensor, in a space; looked up only
  std::unordered_multimap<size_t, int> weights_;
  size_t num_checked_ = 0;  // tensors, by CheckSizes
  int64_t total_bytes_ = 0;
};

}  // namespace linnet::converter
