// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace linnet::converter {

// Bounds how often a model's functions are instantiated. A function is looked at, and made anew,
// for every choice of variables that it is called with: nested functions that swap two handles
// before they call the next one would need 2^depth variants, in a few lines.
class VariantBudget {
 public:
  // `size`: nodes and arguments of one variant. A function's first variant is free, since each of
  // its nodes stands in the model's file. InvalidArgument when the budget is used up.
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
