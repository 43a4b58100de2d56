// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "linnet/linnet.h"
#include "tests/fuzz/structure/test_session.h"

namespace linnet::fuzz {

// How an output of XNNPACK differs from that of the portable kernels by more than rounding; empty
// when it does not. `twin` is the portable kernels' output for values that differ in the sixth
// digit: where it differs much, the model magnifies errors, and the outputs cannot be compared.
std::string GrossDifference(linnet_dtype dtype, const Bytes& portable, const Bytes& twin,
                            const Bytes& other);

}  // namespace linnet::fuzz
