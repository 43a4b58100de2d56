// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "converter/plan/planner/schedule_model.h"

namespace linnet::planner {

struct OrderCandidate {
  std::vector<int> order;
  int64_t peak;        // of live memory in the model
  const char* method;  // "imported", "greedy", ...
};

// Orders worth a closer look, the imported one first; with `reorder` the others by rising peak and
// below that of the imported one, without repetition. Stops searching when no order can be better.
std::vector<OrderCandidate> FindOrders(const ScheduleModel& model, bool reorder);

}  // namespace linnet::planner
