// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace linnet::tools {

// Writes the pieces one after the other to the file `path`, through a FileWriter, so that nobody
// can read an incomplete file. Returns "" on success, else one sentence.
std::string WriteFile(const std::string& path, std::initializer_list<std::string_view> pieces);

}  // namespace linnet::tools
