// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/backends/vulkan/backend.h"
#include "runtime/session/interpreter.h"
#include "runtime/verify/verify_plan.h"

namespace linnet::vulkan {

// The plan of a graph in text form, for the CPU and for GPUs, as `linnet convert --place vulkan`
// makes it.
std::vector<std::byte> PlanFor(const std::string& graph);

// The GPU's program of a plan, prepared for sessions on one device.
class PreparedNet {
 public:
  // `plan` must outlive this object, and the device too.
  PreparedNet(const std::vector<std::byte>& plan, Device* device)
      : file_{plan.data(), static_cast<int64_t>(plan.size())}, gpu_(device) {}

  Status Prepare();
  const PreparedWeights& weights() const { return weights_; }
  const char* problem() const { return diagnostic_.text; }  // after a failure

 private:
  const PlanFile file_;
  Region region_;
  const VulkanBackend gpu_;
  const Backend* backends_[2] = {};
  VerifiedPlan plan_;
  PreparedWeights weights_{&region_};
  Diagnostic diagnostic_;
};

// Runs a session once, with the same inputs each time, and returns its outputs.
std::vector<std::vector<float>> RunOnce(Interpreter& session);

}  // namespace linnet::vulkan
