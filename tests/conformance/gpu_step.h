// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/backends/vulkan/backend.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/region.h"
#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// Whether the machine's GPU has `name` in its name.
bool IsDevice(const char* name);

// A way to run a case.
struct GpuVariant {
  uint32_t fill = 0;     // what memory contains before: NaNs or zeros
  bool in_host = false;  // inputs and outputs lie in DeviceMemory::host_data
  int in_place = -1;     // the input that output 0 overwrites
  bool divided = false;  // into as many dispatches and command buffers as there can be
};

// A plan with one step, packed once. Memory has guards around each tensor.
class GpuStep {
 public:
  GpuStep(const OpCase& test, const OpInstance& op, Layout layout, int64_t scratch_bytes)
      : test_(test),
        op_(op),
        layout_(layout),
        scratch_bytes_(scratch_bytes),
        inputs_(op.inputs.begin(), op.inputs.end()) {}
  ~GpuStep() {
    if (weights_ != nullptr) weights_->Destroy();
  }

  std::string Pack();
  // `status`: what Run returned.
  std::string Run(const GpuVariant& variant, std::vector<std::vector<uint8_t>>* outputs,
                  Status* status = nullptr);

 private:
  // Bytes of a tensor in the arena, with a guard before and behind it.
  struct Place {
    int64_t offset = -1;
    int64_t bytes = 0;
  };

  StepContext Context() const;
  void PlaceAll(const GpuVariant& variant);
  std::string Build(const GpuVariant& variant, Region& region, DeviceMemory** memory,
                    RunnableSegment** segment);
  std::string RunTwice(const GpuVariant& variant, DeviceMemory& memory, RunnableSegment& segment,
                       std::vector<std::vector<uint8_t>>* outputs);
  std::string RunOnce(const GpuVariant& variant, DeviceMemory& memory, RunnableSegment& segment,
                      const std::vector<uint8_t*>& bound,
                      std::vector<std::vector<uint8_t>>* outputs);
  // Where the guards start: in front of the first tensor and behind each, from the next multiple of
  // 8, as tensors end there.
  std::vector<int64_t> Guards() const;
  // Whether the first padding of a row of halves need not be 0: when SwiftShader packs two numbers
  // of which the first is NaN, it sets a bit of the second.
  static bool IsChangedByNan(const uint8_t* row, const vulkan::Rows& rows);
  // All writers of tensors have to write 0 behind the rows.
  std::string WhyPaddingIsWrong(const std::vector<uint8_t>& arena) const;

  const DeviceBackend& backend_ = *vulkan::GetBackend().as_device();
  const OpCase& test_;
  OpInstance op_;
  const Layout layout_;
  const int64_t scratch_bytes_;
  std::vector<InputInfo> inputs_;
  Region prepared_;
  PackedWeights* weights_ = nullptr;
  void* packed_ = nullptr;
  std::vector<Place> input_places_, output_places_;
  Place scratch_place_;
  int64_t arena_bytes_ = 0;
  Status run_status_;
};

}  // namespace linnet::conformance
