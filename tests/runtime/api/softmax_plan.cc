// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/softmax_plan.h"

#include "runtime/ops/softmax.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {

std::vector<std::byte> SoftmaxPlan() {
  RawPlan plan;
  const int32_t x = plan.Input({2, 3}), y = plan.Arena({2, 3});
  plan.Step(SoftmaxAttrs{}, {x}, {y});
  plan.Port(y, /*is_output=*/true);
  return plan.Finish();
}

}  // namespace linnet
