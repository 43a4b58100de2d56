// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// Sets *outputs to what the portable kernel makes of the inputs of `test`, none of which it packs.
// Returns "" or what went wrong.
std::string PortableResult(const OpCase& test, const OpInstance& op,
                           std::vector<std::vector<uint8_t>>* outputs);

}  // namespace linnet::conformance
