// SPDX-License-Identifier: Apache-2.0
// The part of SessionMemory for programs with steps on devices.
#include "runtime/core/checked.h"
#include "runtime/session/device_backend.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "the session's memory is too small"};

}  // namespace

// Who accesses a buffer of the host.
struct SessionMemory::Uses {
  // The only device whose copies access it.
  static constexpr int kNone = -1, kHost = 0;  // a space above 0: this device
  int16_t by = kNone;
  bool read = false;    // by a copy
  bool shared = false;  // several tensors are in it
  bool holds_tensor = false;
  bool is_input = false, is_output = false;

  void Access(int space) { by = static_cast<int16_t>(by == kNone || by == space ? space : kHost); }
  // The space in whose mapped memory the buffer can lie, 0 for none. Nothing else may use the bytes
  // of an output there (RunnableSegment::BindOutput).
  int mapped() const {
    const bool fits = by > 0 && !shared && (is_input ? !is_output : is_output && !read);
    return fits ? by : 0;
  }
};

Status SessionMemory::CreateOnDevices(const PreparedWeights& weights, Region& region) {
  const std::span<const PlanSpace> spaces = plan_->spaces;
  const auto count = static_cast<int64_t>(spaces.size());
  devices_ = region.New<DeviceMemory*>(count);
  host_bytes_ = region.New<int64_t>(count);
  if (devices_ == nullptr || host_bytes_ == nullptr) return kNoMemory;
  LINNET_RETURN_IF_ERROR(FindHomes(region));
  for (int i = 1; i < static_cast<int>(count); ++i) {
    // Buffers of an untrusted plan may overlap, so that the sum of their sizes has no limit.
    if (host_bytes_[i] > kMaxSpaceBytes) return kNoMemory;
    const DeviceBackend& backend = *weights.backends()[weights.FindDevice(i)]->as_device();
    LINNET_RETURN_IF_ERROR(
        backend.NewMemory(spaces[i].bytes, host_bytes_[i], region, &devices_[i]));
    device_bytes_ += devices_[i]->device_bytes();
  }
  return {};
}

Status SessionMemory::FindHomes(Region& region) {
  const auto count = static_cast<int64_t>(plan_->buffers.size());
  homes_ = region.New<Home>(count);
  auto* uses = region.New<Uses>(count);
  if (homes_ == nullptr || uses == nullptr) return kNoMemory;
  CollectUses({uses, plan_->buffers.size()});
  PlaceHomes({uses, plan_->buffers.size()});
  region.Free(uses);
  return {};
}

void SessionMemory::CollectUses(std::span<Uses> uses) const {
  Uses none;
  const auto of = [&](int32_t tensor) -> Uses& {
    const PlanTensor& info = plan_->tensors[tensor];
    return info.storage == Storage::kArena ? uses[info.index] : none;
  };
  for (int32_t i = 0; i < static_cast<int32_t>(plan_->tensors.size()); ++i) {
    of(i).shared = of(i).holds_tensor;
    of(i).holds_tensor = true;
  }
  for (const PlanStep& step : plan_->steps) {
    const bool copies = step.control == schema::Control::Copy;
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      of(step.inputs[i]).Access(copies ? uint8_t{step.space} : uint8_t{Uses::kHost});
      of(step.inputs[i]).read = true;
    }
    for (size_t i = 0; i < step.outputs.size(); ++i)
      of(step.outputs[i])
          .Access(copies ? uint8_t{plan_->tensors[step.inputs[i]].space} : uint8_t{Uses::kHost});
  }
  for (const PlanUpdate& update : plan_->updates) of(update.next).Access(Uses::kHost);
  for (const PlanPort& port : plan_->inputs) of(port.tensor).is_input = true;
  for (const PlanPort& port : plan_->outputs) of(port.tensor).is_output = true;
}

// In the order of inputs and outputs.
void SessionMemory::PlaceHomes(std::span<const Uses> uses) {
  for (const std::span<const PlanPort> ports : {plan_->inputs, plan_->outputs}) {
    for (const PlanPort& port : ports) {
      const PlanTensor& tensor = plan_->tensors[port.tensor];
      if (tensor.storage != Storage::kArena || homes_[tensor.index].space != 0) continue;
      const int space = uses[tensor.index].mapped();
      if (space == 0) continue;
      homes_[tensor.index] = {static_cast<uint8_t>(space),
                              AddHome(space, plan_->buffers[tensor.index].bytes)};
    }
  }
}

// Returns the offset.
int64_t SessionMemory::AddHome(int space, int64_t bytes) {
  const int64_t offset = host_bytes_[space];
  const int64_t size = AlignUp(bytes + kReadPastEnd, kDeviceAlignment);
  host_bytes_[space] = SaturatingAdd(offset, size);
  return offset;
}

}  // namespace linnet
