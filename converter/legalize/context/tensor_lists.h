// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// A longer list is a mistake or an attack.
inline constexpr int64_t kMaxListItems = 1 << 20;

// What a TensorList or a TensorArray stands for during this pass: a vector of its elements as long
// as every index is known (most loops are unrolled), else one tensor (dense_list.h). No list is
// left in the plan.
struct TensorList {
  DType dtype = DType::kInvalid;  // of the elements, as LegalDType has it
  // -1: not known yet. nullopt: not even the rank is known.
  std::optional<std::vector<int64_t>> element_shape;
  std::vector<Output> items;  // empty ones were never written and read as zeros
  bool may_grow = false;      // by writing behind the end

  // If is_dense, these take the place of `items`. `rows` is [most, ...element], with zeros where
  // nothing was written; empty as long as nothing was written and the elements' shape is not known.
  bool is_dense = false;
  Output rows;
  int64_t most = 0;
  Extent length;               // how many of the rows the list has
  bool length_is_here = true;  // false in a region, where the symbols of `length` have no meaning
};

// The lists that outputs of TensorFlow nodes of one graph stand for. A list never changes: an op
// that writes makes a new one. The nodes stay in the graph until the walk ends, so that other nodes
// can refer to their outputs.
class TensorLists {
 public:
  const TensorList* Find(Output output) const {
    const auto it = lists_.find({output.node->id(), output.index});
    return it == lists_.end() ? nullptr : &it->second;
  }
  // Every write copies the list, so a loop that writes all elements of a long list makes many long
  // ones.
  bool HasRoomFor(const TensorList& list) const {
    return items_ + std::ssize(list.items) <= kMaxItemsOfAll;
  }
  void Set(Output output, TensorList list) {
    items_ += std::ssize(list.items);
    lists_[{output.node->id(), output.index}] = std::move(list);
  }
  bool empty() const { return lists_.empty(); }

 private:
  static constexpr int64_t kMaxItemsOfAll = 1 << 26;  // a gigabyte

  std::map<std::pair<int, int>, TensorList> lists_;  // by node id and output
  int64_t items_ = 0;
};

}  // namespace linnet::converter
