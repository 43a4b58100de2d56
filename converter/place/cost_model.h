// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "converter/graph/graph.h"
#include "converter/place/device.h"
#include "converter/place/device_profile.h"

namespace linnet::converter {

// What one run of a node does, from its types.
struct Work {
  double flops = 0.0;
  double bytes = 0.0;  // read and written
};
Work WorkOf(const Node& node);

// Bytes of a value. TensorFlow ops, whose shapes are not known, count one byte each, as its
// cost model begins with.
int64_t OutputBytes(const Node& node, int output);
DType OutputDType(const Node& node, int output);  // kInvalid when not known

// How long nodes and copies take on the devices of a set: measured where the profile has it, else
// the larger of arithmetic and memory traffic at the device's rates, and its overhead. Constants,
// ends of the graph and steps that leave their bytes where they are take nothing; a TensorFlow op
// takes 1 us.
class CostModel {
 public:
  // Both outlive the model.
  CostModel(const DeviceSet& devices, const DeviceProfile& profile);

  double TimeUs(const Node& node, int device) const;
  double CopyUs(int64_t bytes, int from, int to) const;  // 0 where both are the same

 private:
  const Measurement* FindMeasurement(const Node& node, int device) const;

  const DeviceSet& devices_;
  const DeviceProfile& profile_;
};

}  // namespace linnet::converter
