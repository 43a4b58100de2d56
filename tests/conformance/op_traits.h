// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// Holds what the op's row says of it (OpTraits) for the numbers of `test`, a case without an error?
// "" or what does not.
std::string WhyTraitsAreWrong(const OpCase& test);

}  // namespace linnet::conformance
