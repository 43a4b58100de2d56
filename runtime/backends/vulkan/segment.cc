// SPDX-License-Identifier: Apache-2.0
// How a segment runs. segment_build.cc builds it.
#include "runtime/backends/vulkan/segment.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/checked.h"
#include "runtime/threads/clock.h"

namespace linnet::vulkan {
namespace {

constexpr Status kNotBound{StatusCode::kInternal, "an input or output is not bound"};

}  // namespace

Status Segment::Record() {
  const VkBuffer buffers[kNumSegmentBuffers] = {
      memory_.arena().handle, weights_ == nullptr ? VK_NULL_HANDLE : weights_->buffer().handle,
      memory_.host().handle, slots_.handle, status_words_.handle()};
  recorded_ = false;
  LINNET_RETURN_IF_ERROR(commands_.Record(works_, pipelines_, buffers,
                                          profile_ ? queries_ : VK_NULL_HANDLE, num_parts_));
  recorded_ = true;
  return {};
}

Status Segment::Bind(Port& port, void* data) {
  port.data = data;
  if (port.window == nullptr) return {};
  const Buffer& host = memory_.host();
  const auto begin = reinterpret_cast<uintptr_t>(host.mapped);
  const auto address = reinterpret_cast<uintptr_t>(data);
  const int64_t words = AlignUp(port.bytes, 4);
  Access window = {.buffer = kSlotsBuffer, .begin = port.slot, .written = port.window->written};
  if (host.mapped != nullptr && address >= begin &&
      address - begin < static_cast<uint64_t>(host.bytes)) {
    const auto offset = static_cast<int64_t>(address - begin);
    if (offset % kWindowAlignment == 0 && words <= host.bytes - offset) {
      window.buffer = kHostBuffer;
      window.begin = offset;
    }
  }
  window.end = window.begin + words;
  port.in_slot = window.buffer == kSlotsBuffer;
  if (port.in_slot) {
    const Status status = AllocateSlots();
    if (!status.ok()) port.data = nullptr;
    LINNET_RETURN_IF_ERROR(status);
  }
  if (window.buffer == port.window->buffer && window.begin == port.window->begin) return {};
  *port.window = window;
  recorded_ = false;
  return {};
}

Status Segment::AllocateSlots() {
  if (slots_.handle != VK_NULL_HANDLE || device_.lost()) return {};
  recorded_ = false;
  return NewBuffer(device_, slot_bytes_, Usage::kHost, &slots_);
}

Status Segment::BindInput(int input, const void* data) {
  if (input < 0 || input >= inputs_.count) return kNotBound;
  // Only read: the port is an input's.
  return Bind(*inputs_.all[input], const_cast<void*>(data));
}

Status Segment::BindOutput(int output, void* data) {
  if (output < 0 || output >= outputs_.count) return kNotBound;
  return Bind(*outputs_.all[output], data);
}

Status Segment::Run() {
  LINNET_RETURN_IF_ERROR(device_.CheckAlive());
  if (!recorded_) LINNET_RETURN_IF_ERROR(Record());
  const int64_t start = profile_ ? NowNs() : 0;
  for (int i = 0; i < inputs_.count; ++i) {
    const Port& port = *inputs_.all[i];
    if (port.bytes == 0) continue;
    if (port.data == nullptr) return kNotBound;
    const Buffer& buffer = port.in_slot ? slots_ : memory_.host();
    if (port.in_slot)
      std::memcpy(slots_.mapped + port.slot, port.data, static_cast<size_t>(port.bytes));
    LINNET_RETURN_IF_ERROR(Flush(device_, buffer, port.window->begin, port.bytes));
  }
  LINNET_RETURN_IF_ERROR(status_words_.Clear());
  const int64_t submitted = profile_ ? NowNs() : 0;
  LINNET_RETURN_IF_ERROR(
      commands_.Run(TimeoutNs(device_.facts().device_class, slow_ns_, /*first=*/!has_run_)));
  const int64_t submit_ns = profile_ ? NowNs() - submitted : 0;
  has_run_ = true;
  LINNET_RETURN_IF_ERROR(status_words_.Check());
  for (int i = 0; i < outputs_.count; ++i) {
    const Port& port = *outputs_.all[i];
    if (port.bytes == 0) continue;
    const Buffer& buffer = port.in_slot ? slots_ : memory_.host();
    LINNET_RETURN_IF_ERROR(Invalidate(device_, buffer, port.window->begin, port.bytes));
  }
  return profile_ ? ReadTimes(NowNs() - start, submit_ns) : Status();
}

Status Segment::Fetch(int output) {
  LINNET_RETURN_IF_ERROR(device_.CheckAlive());
  if (output < 0 || output >= outputs_.count) return kNotBound;
  const Port& port = *outputs_.all[output];
  if (port.bytes == 0 || !port.in_slot) return {};
  if (port.data == nullptr) return kNotBound;
  std::memcpy(port.data, slots_.mapped + port.slot, static_cast<size_t>(port.bytes));
  return {};
}

void Segment::EnableProfile(bool on) {
  const DeviceFacts& facts = device_.facts();
  if (on == profile_ || device_.lost()) return;
  profile_ = on;
  if (facts.timestamp_bits == 0 || facts.limits.timestampPeriod <= 0) return;
  if (queries_ == VK_NULL_HANDLE) {
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = static_cast<uint32_t>(num_parts_) + 1};
    // Without it the steps' times are estimated.
    if (!device_
             .Check(device_.fn().CreateQueryPool(device_.handle(), &info, nullptr, &queries_),
                    "vkCreateQueryPool failed")
             .ok())
      queries_ = VK_NULL_HANDLE;
  }
  recorded_ = false;
}

// `run_ns` and `submit_ns` are the host's times of the whole run and of its submission with the
// wait.
Status Segment::ReadTimes(int64_t run_ns, int64_t submit_ns) {
  std::fill_n(times_ns_, num_steps_, 0);
  wait_ns_ = 0;
  double gpu_ns = 0;
  if (queries_ != VK_NULL_HANDLE) LINNET_RETURN_IF_ERROR(ReadTicks(&gpu_ns));
  if (gpu_ns == 0) {
    EstimateTimes(run_ns);
    return {};
  }
  // Where the device's clock is faster than the host's, the host's counts.
  const double scale = std::min(1.0, static_cast<double>(submit_ns) / gpu_ns);
  const double tick_ns = scale * device_.facts().limits.timestampPeriod;
  const Work* before = nullptr;
  for (const Work* work = works_.first; work != nullptr; before = work, work = work->next)
    if (work->step >= 0 && (before == nullptr || before->part != work->part))
      times_ns_[work->step] =
          static_cast<int64_t>(static_cast<double>(ticks_[work->part]) * tick_ns);
  wait_ns_ = submit_ns - static_cast<int64_t>(scale * gpu_ns);
  return {};
}

// Makes ticks_ the ticks that each part took; *gpu_ns is their sum.
Status Segment::ReadTicks(double* gpu_ns) {
  const auto count = static_cast<uint32_t>(num_parts_) + 1;
  LINNET_RETURN_IF_ERROR(device_.Check(
      device_.fn().GetQueryPoolResults(device_.handle(), queries_, 0, count,
                                       count * sizeof(uint64_t), ticks_, sizeof(uint64_t),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
      "vkGetQueryPoolResults failed"));
  const uint32_t bits = device_.facts().timestamp_bits;
  const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  for (int i = 0; i < num_parts_; ++i) {
    // A counter of less than 64 bits may have wrapped.
    ticks_[i] = (ticks_[i + 1] - ticks_[i]) & mask;
    *gpu_ns += static_cast<double>(ticks_[i]) * device_.facts().limits.timestampPeriod;
  }
  return {};
}

// For a device without timestamps: divides the time of the run among the steps and the copies of
// inputs and outputs in proportion to their workgroups.
void Segment::EstimateTimes(int64_t run_ns) {
  const auto groups = [](const Work& work) {
    return static_cast<double>(work.groups[0]) * work.groups[1];
  };
  double sum = 0;
  for (const Work* work = works_.first; work != nullptr; work = work->next) sum += groups(*work);
  for (const Work* work = works_.first; work != nullptr; work = work->next)
    if (work->step >= 0)
      times_ns_[work->step] +=
          static_cast<int64_t>(static_cast<double>(run_ns) * (groups(*work) / sum));
}

void Segment::StepTimes(std::span<int64_t> ns) const {
  for (size_t i = 0; i < ns.size(); ++i)
    ns[i] = times_ns_ != nullptr && i < static_cast<size_t>(num_steps_) ? times_ns_[i] : 0;
}

void Segment::Free() {
  if (device_.lost()) return;
  if (queries_ != VK_NULL_HANDLE)
    device_.fn().DestroyQueryPool(device_.handle(), queries_, nullptr);
  queries_ = VK_NULL_HANDLE;
  commands_.Destroy();
  pipelines_.Destroy();
  FreeBuffer(device_, &slots_);
  status_words_.Free();
}

void Segment::Destroy() { Free(); }

}  // namespace linnet::vulkan
