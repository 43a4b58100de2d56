// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// A plan whose only step is `test`: what is constant there is a weight here, the other inputs are
// called "in0", "in1" and so on in their order, the outputs "out0" and so on. Empty, with the
// reason in *error, where the op's own rules refuse the case.
std::vector<std::byte> CasePlan(const OpCase& test, std::string* error);

}  // namespace linnet::conformance
