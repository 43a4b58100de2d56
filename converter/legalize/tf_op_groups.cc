// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/tf_op_groups.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/legalize/tf_op_table.h"

namespace linnet::converter {
namespace {

using enum TfOpFate;

constexpr TfOpGroup kGroups[] = {
#define SETTLED(fate, name, becomes, reason, way_out, ops) \
  {fate, name, becomes, reason, way_out, ops},
#define REFUSED(name, reason, way_out, ops) {kRefused, name, "", reason, way_out, ops},
#define FOREIGN(name, reason, way_out, ops) {kRefused, name, "", reason, way_out, ops, true},
#include "converter/legalize/tf_op_groups.def"
#undef SETTLED
#undef REFUSED
#undef FOREIGN
};

bool Matches(std::string_view pattern, std::string_view name) {
  const bool open_start = pattern.starts_with('*'), open_end = pattern.ends_with('*');
  if (open_start) pattern.remove_prefix(1);
  if (open_end) pattern.remove_suffix(1);
  if (open_start && open_end) return name.find(pattern) != std::string_view::npos;
  if (open_start) return name.ends_with(pattern);
  return open_end ? name.starts_with(pattern) : name == pattern;
}

// The groups of TensorFlow's ops, or those of other packages, by what is looked up in them.
class Index {
 public:
  explicit Index(bool foreign) {
    for (const TfOpGroup& group : kGroups) {
      if (group.is_foreign != foreign) continue;
      for (std::string_view rest = group.ops; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        if (word.find('*') == std::string_view::npos)
          names_.emplace(word, &group);
        else
          patterns_.emplace_back(word, &group);
      }
    }
  }

  const TfOpGroup* Find(std::string_view op) const {
    if (const auto name = names_.find(op); name != names_.end()) return name->second;
    for (const auto& [pattern, group] : patterns_)
      if (Matches(pattern, op)) return group;
    return nullptr;
  }

 private:
  std::unordered_map<std::string_view, const TfOpGroup*> names_;
  std::vector<std::pair<std::string_view, const TfOpGroup*>> patterns_;
};

}  // namespace

std::span<const TfOpGroup> TfOpGroups() { return kGroups; }

const TfOpGroup* FindTfOpGroup(std::string_view op) {
  static const Index &ours = *new Index(false), &foreign = *new Index(true);
  // A pattern must not take an op of the user's for one of TensorFlow's.
  return (std::ranges::binary_search(TensorFlowOpNames(), op) ? ours : foreign).Find(op);
}

std::vector<std::string_view> OpsOf(const TfOpGroup& group) {
  std::vector<std::string_view> ops;
  for (const std::string_view op : TensorFlowOpNames())
    if (FindTfOp(op) == nullptr && FindTfOpGroup(op) == &group) ops.push_back(op);
  return ops;
}

}  // namespace linnet::converter
