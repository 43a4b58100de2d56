// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace linnet::converter {

// Writes `path`.part and renames it, so that nothing incomplete carries the name. Unavailable with
// the system's reason.
absl::Status WriteFile(const std::string& path, std::string_view bytes);

}  // namespace linnet::converter
