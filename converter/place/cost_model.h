// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "converter/graph/graph.h"
#include "converter/place/device.h"
#include "converter/place/device_profile.h"

namespace linnet::converter {

// The work of running a node once, from its types.
struct Work {
  double flops = 0.0;
  double bytes = 0.0;  // read and written
};
Work WorkOf(const Node& node);

// Bytes of a value. Outputs of TensorFlow ops, whose shapes are not known, count as one byte, the
// value that TensorFlow's cost model starts from.
int64_t OutputBytes(const Node& node, int output);
DType OutputDType(const Node& node, int output);  // kInvalid when not known

// How long nodes and copies take on the devices of a set: the time that the profile has for the
// node, else the longer of arithmetic, at the device's rate for its kind of op, and memory traffic,
// plus its launch time. Constants, inputs and outputs of the graph and views take no time; a
// TensorFlow op takes 1 us.
class CostModel {
 public:
  // Both must outlive the CostModel.
  CostModel(const DeviceSet& devices, const DeviceProfile& profile);

  double TimeUs(const Node& node, int device) const;
  double CopyUs(int64_t bytes, int from, int to) const;  // 0 where both are the same
  double SubmitUs(int device) const;                     // for each segment of the device

 private:
  const Measurement* FindMeasurement(const Node& node, int device) const;

  const DeviceSet& devices_;
  const DeviceProfile& profile_;
};

}  // namespace linnet::converter
