// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tests/conformance/op_case.h"

// What may be expected where a device keeps floats in 16 bits (Layout::kRows4Half), whatever it
// computes with.
namespace linnet::conformance {

// The margin of a case in halves: what is read and what is written is rounded.
Margin HalfMarginOf(const OpCase& test);
// The same where products and short sums are rounded to halves too.
Margin NativeHalfMarginOf(const OpCase& test);

// `test` with expected outputs that halves can hold. Where rounding the inputs changes the output
// by more than the margin, which half_precision.cc lists with reasons, these are what the portable
// kernel makes of rounded inputs; else TensorFlow's. Returns "" or what went wrong.
std::string ExpectInHalves(const OpInstance& op, OpCase* test);

}  // namespace linnet::conformance
