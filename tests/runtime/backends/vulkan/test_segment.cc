// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/test_segment.h"

#include <algorithm>

#include "runtime/ops/clamp.h"

namespace linnet::vulkan {

Status TestSegment::Open(const DeviceBackend& backend, int64_t arena_bytes, int64_t host_bytes,
                         int64_t constant_bytes, std::span<const std::byte> cache) {
  backend_ = &backend;
  LINNET_RETURN_IF_ERROR(backend.NewPackedWeights(constant_bytes, region_, &weights_));
  LINNET_RETURN_IF_ERROR(weights_->OpenCache(cache));
  LINNET_RETURN_IF_ERROR(backend.NewMemory(arena_bytes, host_bytes, region_, &memory_));
  return backend.NewSegment(memory_, Layout::kRows4, weights_, region_, &segment_);
}

Status TestSegment::AddClamp(const Shape& shape, int64_t from, int64_t to, float low, float high) {
  const ClampAttrs attrs{.range = {.min = low, .max = high}};
  const InputInfo input{.type = {DType::kFloat32, shape}};
  const OpInstance op{
      .kind = OpKind::kClamp, .attrs = &attrs, .inputs = {&input, 1}, .outputs = {&input.type, 1}};
  return segment_->AddStep({num_steps_++, op}, nullptr, {&from, 1}, {&to, 1});
}

Status TestSegment::AddClampOf(const Shape& shape, const std::vector<float>& constant, int64_t to,
                               float low, float high) {
  const ClampAttrs attrs{.range = {.min = low, .max = high}};
  InputInfo input{.type = {DType::kFloat32, shape}, .value = constant.data()};
  input.is_constant = true;
  const OpInstance op{
      .kind = OpKind::kClamp, .attrs = &attrs, .inputs = {&input, 1}, .outputs = {&input.type, 1}};
  void* packed = nullptr;
  LINNET_RETURN_IF_ERROR(backend_->Pack({num_steps_, op}, weights_, region_, &packed));
  LINNET_RETURN_IF_ERROR(weights_->Finalize());
  input.value = nullptr;
  const int64_t from = -1;
  return segment_->AddStep({num_steps_++, op}, packed, {&from, 1}, {&to, 1});
}

void TestSegment::Destroy() {
  if (segment_ != nullptr) segment_->Destroy();
  if (memory_ != nullptr) memory_->Destroy();
  if (weights_ != nullptr) weights_->Destroy();
  segment_ = nullptr;
  memory_ = nullptr;
  weights_ = nullptr;
}

std::vector<float> Ramp(int64_t count) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i) values[i] = -4 + 0.5f * static_cast<float>(i % 33);
  return values;
}

std::vector<float> Clamped(std::vector<float> values, float low, float high) {
  for (float& value : values) value = std::clamp(value, low, high);
  return values;
}

}  // namespace linnet::vulkan
