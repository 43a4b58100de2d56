// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace linnet {

// y f32[2,3] = Softmax(x f32[2,3]), signature "run". This header is C++17, so that tests in C++17
// can include it.
std::vector<std::byte> SoftmaxPlan();

}  // namespace linnet
