// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/statusor.h"
#include "converter/passes/pass.h"

namespace linnet::cli {

// "NAME", "NAME=1x224x224x3" ("?" = as the model says, "1..128" = from 1 to 128) or "NAME=scalar". InvalidArgument says what
// is wrong with the text.
absl::StatusOr<converter::Feed> ParseInputFlag(const std::string& text);

}  // namespace linnet::cli
