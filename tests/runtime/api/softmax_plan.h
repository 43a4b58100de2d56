// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace linnet {

// y f32[2,3] = Softmax(x f32[2,3]), signature "run". The header is for tests that are older C++
// than the library, too.
std::vector<std::byte> SoftmaxPlan();

}  // namespace linnet
