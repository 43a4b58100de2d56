// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/pass/pass.h"

namespace linnet::cli {

// Adds what "NAME=VALUE" and "NAME=FILE.npy" say (--set) and reads the file, whose float64 become
// float32. Returns what is wrong with the text or the file, or "".
std::string ParseSetFlag(const std::string& text, std::vector<converter::FixedTensor>* fixed);

}  // namespace linnet::cli
