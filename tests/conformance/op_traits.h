// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// Are the traits in the op's row (OpTraits) true for the numbers of `test`, a case without an
// error? Returns "" or which trait is wrong.
std::string WhyTraitsAreWrong(const OpCase& test);

}  // namespace linnet::conformance
