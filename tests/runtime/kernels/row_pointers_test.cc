// SPDX-License-Identifier: Apache-2.0
// The addresses of rows, as every instruction set of this machine writes them.
#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

TEST(RowPointers, AreOneStepApartAndNoMoreThanAsked) {
  const std::vector<float> rows(41 * 7);
  for (const IsaSet& set : UsableSets()) {
    for (const int64_t step : {0, 1, 7}) {
      for (int64_t count = 0; count <= 40; ++count) {
        std::vector<const float*> pointers(count + 1, nullptr);
        set.kernels->point_to_rows(rows.data(), step, count, pointers.data());
        for (int64_t i = 0; i < count; ++i)
          ASSERT_EQ(pointers[i], rows.data() + i * step)
              << set.name << ": row " << i << " of " << count << ", " << step << " apart";
        ASSERT_EQ(pointers[count], nullptr) << set.name << ": more than " << count;
      }
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
