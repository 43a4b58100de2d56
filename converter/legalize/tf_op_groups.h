// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace linnet::converter {

// What becomes of the TensorFlow ops that `legalize` has no row for (tf_op_table.h).
enum class TfOpFate : uint8_t {
  kFolded,   // passes before it resolve the op to something that is known at conversion
  kDropped,  // passes before it take the op away
  kRefused,
};

// Ops that share a fate, with the sentences that users read (tf_op_groups.def).
struct TfOpGroup {
  TfOpFate fate;
  std::string_view name;     // "strings"
  std::string_view becomes;  // what folded and dropped ones turn into; else empty
  std::string_view reason;   // why those are refused that reach `legalize`
  std::string_view way_out;  // what to do then
  std::string_view ops;      // names and patterns, see the table
  bool is_foreign = false;   // ops of other packages, which TensorFlow itself does not have
};

// All groups, in the order of the table.
std::span<const TfOpGroup> TfOpGroups();

// The group of an op without a row; nullptr where the op is neither TensorFlow's nor in the table
// as one of another package.
const TfOpGroup* FindTfOpGroup(std::string_view op);

// TensorFlow's ops of the group, sorted; empty where they are another package's.
std::vector<std::string_view> OpsOf(const TfOpGroup& group);

}  // namespace linnet::converter
