// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Results of ops whose inputs are constant, for the next iteration of a loop that emits the same
// op: a filter is transposed once for a loop, not once per iteration.
class FoldedConstants {
 public:
  const std::vector<Output>* Find(const OpAttrs& attrs, std::span<const Output> inputs) const {
    const auto it = entries_.find(KeyOf(inputs));
    if (it == entries_.end()) return nullptr;
    for (const Entry& entry : it->second)
      if (entry.attrs == attrs) return &entry.outputs;
    return nullptr;
  }
  // The nodes of `inputs` and `outputs` must stay.
  void Add(const OpAttrs& attrs, std::span<const Output> inputs, std::vector<Output> outputs) {
    entries_[KeyOf(inputs)].push_back({attrs, std::move(outputs)});
  }

 private:
  struct Entry {
    OpAttrs attrs;
    std::vector<Output> outputs;
  };
  // By node id, which is never used again. A constant has only one output.
  static std::vector<int> KeyOf(std::span<const Output> inputs) {
    std::vector<int> key;
    for (const Output input : inputs) key.push_back(input.node->id());
    return key;
  }

  std::map<std::vector<int>, std::vector<Entry>> entries_;
};

}  // namespace linnet::converter
