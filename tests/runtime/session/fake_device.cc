// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/session/fake_device.h"

#include <cstring>
#include <new>

#include "runtime/core/checked.h"
#include "tests/runtime/session/fake_memory.h"
#include "tests/runtime/session/fake_segment.h"
#include "tests/runtime/session/fake_support.h"

namespace linnet {
namespace {

// An object in memory of the region; null when there is none.
template <typename T, typename... Args>
T* Make(Region& region, Args&&... args) {
  void* memory = region.Allocate(sizeof(T));
  return memory == nullptr ? nullptr : new (memory) T(static_cast<Args&&>(args)...);
}

}  // namespace

const char* FakeDevice::WhyUnsupported(const OpInstance& op) const {
  return WhyUnsupportedByFake(op);
}

int64_t FakeDevice::PackedBytes(const StepContext& step) const {
  int64_t sum = 0;
  for (const InputInfo& input : step.op.inputs)
    if (input.is_constant) sum += AlignUp(input.type.bytes(), kHostAlignment);
  return sum;
}

Status FakeDevice::NewPackedWeights(int64_t bytes, Region& region, PackedWeights** out) const {
  if (!MayCall()) return fake::kNoMemory;
  auto* weights = Make<fake::Weights>(region, *this);
  if (weights == nullptr) return fake::kNoMemory;
  if (!weights->pages.Map(bytes)) {
    weights->Destroy();
    return fake::kNoMemory;
  }
  weights->bytes = bytes;
  *out = weights;
  return {};
}

Status FakeDevice::Pack(const StepContext& step, PackedWeights* weights, Region& region,
                        void** packed) const {
  if (!MayCall()) return fake::kNoMemory;
  auto& all = static_cast<fake::Weights&>(*weights);
  auto* values = region.New<fake::Packed>();
  if (values == nullptr) return fake::kNoMemory;
  int64_t at = all.used;
  for (size_t i = 0; i < step.op.inputs.size(); ++i) {
    const InputInfo& input = step.op.inputs[i];
    if (input.value == nullptr) continue;
    const int64_t bytes = input.type.bytes();
    if (!all.pages.Holds(at, bytes))
      return {StatusCode::kInternal, "PackedBytes was called with another step"};
    const fake::OpenScope open(all.pages);
    values->inputs[i] = all.pages.data() + at;
    std::memcpy(values->inputs[i], input.value, static_cast<size_t>(bytes));
    at += AlignUp(bytes, kHostAlignment);
  }
  all.used = AlignUp(at, kDeviceAlignment);
  *packed = values;
  return {};
}

Status FakeDevice::NewMemory(int64_t bytes, int64_t host_bytes, Region& region,
                             DeviceMemory** out) const {
  if (!MayCall()) return fake::kNoMemory;
  auto* memory = Make<fake::Memory>(region, *this);
  if (memory == nullptr) return fake::kNoMemory;
  if (!memory->pages.Map(bytes) ||
      (options_.maps_memory && host_bytes > 0 && !memory->MapHost(host_bytes))) {
    memory->Destroy();
    return fake::kNoMemory;
  }
  *out = memory;
  return {};
}

Status FakeDevice::NewSegment(DeviceMemory* memory, Layout, PackedWeights* weights, Region& region,
                              RunnableSegment** out) const {
  if (!MayCall()) return fake::kNoMemory;
  auto* segment = Make<fake::Segment>(region, *this, static_cast<fake::Memory&>(*memory),
                                      static_cast<fake::Weights&>(*weights), region);
  if (segment == nullptr) return fake::kNoMemory;
  ++counts_.segments;
  *out = segment;
  return {};
}

}  // namespace linnet
