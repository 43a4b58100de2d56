// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "converter/pass/pass.h"

namespace linnet::cli {

// "NAME", "NAME=1x224x224x3" ("?" = as the model says, "1..128" = from 1 to 128) or "NAME=scalar".
// InvalidArgument says what is wrong with the text.
absl::StatusOr<converter::Feed> ParseInputFlag(const std::string& text);

// A whole number that is not negative; nullopt for any other text.
std::optional<int64_t> ParseNumber(std::string_view text);

// "NAME=N" into `most`.
absl::Status ParseMaxFlag(const std::string& text,
                          std::map<std::string, int64_t, std::less<>>* most);

}  // namespace linnet::cli
