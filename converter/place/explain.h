// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "converter/place/cost_model.h"
#include "converter/place/partition.h"
#include "converter/place/placer.h"

namespace linnet::converter {

// How much of a run one device does, according to the cost model.
struct DeviceShare {
  std::string device;  // key
  int64_t steps = 0;
  double estimated_us = 0.0;
  bool halves = false;  // whether floats have 16 bits in its memory
};
// One for each device of the set, in its order.
std::vector<DeviceShare> SharesOf(const DeviceSet& devices, const CostModel& costs,
                                  const Partition& partition);

// The text of --explain-placement: a line per step in order of execution, as TensorFlow logs
// placement, with the reason:
//   conv: (Conv2D): /device:CPU:0  asked for /device:CPU:0
// the copies between segments, indented; and totals. What `detail` returns is added to the reason
// of a step; it may be an empty function.
std::string ExplainPlacement(const DeviceSet& devices, const CostModel& costs,
                             const Placement& placement, const Partition& partition,
                             const std::function<std::string(const Node&)>& detail = {});

}  // namespace linnet::converter
