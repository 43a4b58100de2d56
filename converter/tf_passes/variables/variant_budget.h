// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace linnet::converter {

// How much variables may make of a model's functions. A function is looked at, and made anew, for
// every choice of variables that it is called with: functions that swap two handles and call the
// next one ask for 2^depth of them in a few lines.
class VariantBudget {
 public:
  // `size`: nodes and arguments of one variant. The first of a function is free, as the file says
  // each of its nodes. InvalidArgument when it is too much.
  absl::Status Take(const std::string& function, int64_t size) {
    if (seen_.insert(function).second) return absl::OkStatus();
    left_ -= size;
    if (left_ >= 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("the function '{}' is wanted for too many choices of variables: together, such "
                    "functions would have more than {} nodes",
                    function, kMost));
  }

 private:
  static constexpr int64_t kMost = 150'000;
  std::set<std::string> seen_;
  int64_t left_ = kMost;
};

}  // namespace linnet::converter
