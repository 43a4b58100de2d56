// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace linnet::converter {

class Node;

// One thing that is wrong with a model, as the user is told.
struct Problem {
  std::string node, op, reason, remedy;  // all but the reason may be empty
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

// "Conv2D 'block1/conv': attr 'strides' has 3 values, want 4; remedy", without empty parts.
std::string ToString(const Problem& problem);

// Collects everything that is wrong, so that the user is told all of it at once.
class Problems {
 public:
  void Add(Problem problem) { all_.push_back(std::move(problem)); }
  void Add(const Node& node, std::string reason, std::string remedy = "");
  // An error about `node` (or about everything when that is empty); ok statuses are ignored.
  void Add(const absl::Status& status, std::string node = "", std::string op = "",
           std::string remedy = "");
  bool empty() const { return all_.empty(); }
  const std::vector<Problem>& all() const { return all_; }
  // Ok when empty; else an error with the code of the first problem, whose message is the text of
  // the only problem, or "N problems:" and a line for each.
  absl::Status ToStatus() const;

 private:
  std::vector<Problem> all_;
};

// The problems behind a status of ToStatus. Any other error gives one problem without node and op.
std::vector<Problem> ProblemsOf(const absl::Status& status);

}  // namespace linnet::converter
