// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/place/device_name.h"
#include "runtime/core/layout.h"

namespace linnet::converter {

// Something that runs steps.
struct Device {
  DeviceName name;       // complete: "/device:CPU:0"
  std::string key;       // what command lines and profiles call it: "cpu"
  int priority = 0;      // where nothing else decides, the highest one wins
  bool is_host = false;  // its memory is the arena; inputs, outputs and strings are only there
  Layout layout = Layout::kDense;  // of the tensors in its memory
  // Element types whose tensors are in the arena although this device runs the step that writes or
  // reads them. (TensorFlow's GPU kernels have their int32 tensors in host memory.)
  std::vector<DType> host_dtypes;
  // "" when it can run `node`, else a short reason. From the backend's support.cc, which looks at
  // kind, dtypes, ranks and attributes.
  std::function<std::string(const Node& node)> why_unsupported;
  // Bytes of its memory that it can use while it runs such a node, beside the node's values; null:
  // 0 for all. REQUIRES: why_unsupported(node) == ""
  std::function<int64_t(const Node& node)> scratch_bytes = nullptr;
};

// All devices, preferred ones first: by priority, then type, then name.
class DeviceSet {
 public:
  explicit DeviceSet(std::vector<Device> devices);

  int size() const { return static_cast<int>(devices_.size()); }
  bool empty() const { return devices_.empty(); }
  const Device& operator[](int index) const { return devices_[index]; }
  std::span<const Device> all() const { return devices_; }
  int host() const;                         // the first that is_host; -1 without any
  int FindKey(std::string_view key) const;  // -1 when there is none
  // "/device:CPU:0, /device:GPU:0"
  std::string Names() const;

 private:
  std::vector<Device> devices_;
};

// The device whose memory holds a value of this dtype that a step on device `index` writes or
// reads.
int MemoryOf(const DeviceSet& devices, int index, DType dtype);

// The Linnet op `node` in the form that support.cc and cost functions take. Must not outlive the
// node. Constants are marked as such, without their values.
class NodeInstance {
 public:
  explicit NodeInstance(const Node& node);  // REQUIRES: node.node_class() == kOp
  OpInstance op() const { return {node_.kind(), node_.attrs().data(), inputs_, outputs_}; }

 private:
  const Node& node_;
  std::vector<InputInfo> inputs_;
  std::vector<TensorType> outputs_;
};

}  // namespace linnet::converter
