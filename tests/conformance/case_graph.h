// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// A graph whose only step is `test`. Its constants become weights; its other inputs are called
// "in0", "in1" and so on in their order, its outputs "out0" and so on. If the op's own rules refuse
// the case, the text is empty and *error has the reason.
std::vector<std::byte> CasePlan(const OpCase& test, std::string* error);

}  // namespace linnet::conformance
