// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/packed_weights.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/one_time_commands.h"
#include "runtime/backends/vulkan/pack_rows4.h"
#include "runtime/backends/vulkan/support.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

// Large enough that the waits between copies do not show, small beside the models that need it.
constexpr int64_t kStagingBytes = int64_t{16} << 20;

constexpr Status kTooMany{StatusCode::kInternal, "more packed weights than were asked for"};

}  // namespace

Status DeviceWeights::Allocate(int64_t bytes) {
  bytes_ = bytes;
  if (bytes == 0) return {};
  // One window more, for bindings without elements, which may lie at the end.
  return NewBuffer(device_, SaturatingAdd(bytes, kWindowAlignment), Usage::kWeights, &buffer_);
}

Status DeviceWeights::CopyStaged() {
  if (staged_from_ == used_) return {};
  const int64_t bytes = used_ - staged_from_;
  LINNET_RETURN_IF_ERROR(Flush(device_, staging_, 0, bytes));
  LINNET_RETURN_IF_ERROR(CopyNow(device_, staging_, 0, buffer_, staged_from_, bytes));
  staged_from_ = used_;
  return {};
}

Status DeviceWeights::Reserve(int64_t bytes, std::byte** to) {
  if (bytes > bytes_ - used_) return kTooMany;
  if (buffer_.mapped != nullptr) {
    *to = buffer_.mapped + used_;
    return {};
  }
  if (bytes > staging_.bytes - (used_ - staged_from_)) {
    LINNET_RETURN_IF_ERROR(CopyStaged());
    if (bytes > staging_.bytes) {
      FreeBuffer(device_, &staging_);
      LINNET_RETURN_IF_ERROR(NewBuffer(device_, std::max(bytes, std::min(bytes_, kStagingBytes)),
                                       Usage::kHost, &staging_));
    }
  }
  *to = staging_.mapped + (used_ - staged_from_);
  return {};
}

Status DeviceWeights::Pack(const OpInstance& op, Layout layout, int64_t scratch_bytes,
                           Region& region, StepWeights** out) {
  *out = nullptr;
  const int64_t bytes = PackedBytes(op, layout, scratch_bytes);
  const OpLowering& lowering = *FindLowering(op.kind);
  const PackedForm own = FindPackedForm(op, layout, scratch_bytes);
  const bool own_form = own.bytes != nullptr;
  if (lowering.why_bad_constants != nullptr) {
    if (const char* reason = lowering.why_bad_constants(op)) return {StatusCode::kBadIndex, reason};
  }
  bool any = own_form;
  for (const InputInfo& input : op.inputs) any |= input.is_constant;
  if (!any) return {};
  auto* weights = region.New<StepWeights>();
  if (weights == nullptr) return {StatusCode::kNoMemory, "out of memory"};
  *weights = {.own_form = own_form, .offset = used_, .bytes = own_form ? own.bytes(op, layout) : 0};
  std::byte* to = nullptr;
  if (bytes > 0) LINNET_RETURN_IF_ERROR(Reserve(bytes, &to));
  if (own_form) {
    if (bytes > 0) own.pack(op, layout, to);
  } else {
    weights->num_inputs = op.num_inputs();
    weights->inputs = region.New<int64_t>(op.num_inputs());
    if (weights->inputs == nullptr) return {StatusCode::kNoMemory, "out of memory"};
    int64_t at = 0;
    for (int i = 0; i < op.num_inputs(); ++i) {
      weights->inputs[i] = op.inputs[i].is_constant ? used_ + at : -1;
      const int64_t input_bytes = BytesIn(layout, op.input(i));
      if (!op.inputs[i].is_constant || input_bytes == 0) continue;
      PackRows4(layout, op.input(i), op.inputs[i].value, to + at);
      at += AlignUp(input_bytes, kWindowAlignment);
    }
  }
  used_ += bytes;
  *out = weights;
  return {};
}

Status DeviceWeights::Finalize() {
  LINNET_RETURN_IF_ERROR(device_.CheckAlive());
  const Status status =
      buffer_.mapped != nullptr ? Flush(device_, buffer_, 0, used_) : CopyStaged();
  FreeBuffer(device_, &staging_);
  return status;
}

void DeviceWeights::Destroy() {
  cache_.Close();
  FreeBuffer(device_, &staging_);
  FreeBuffer(device_, &buffer_);
}

}  // namespace linnet::vulkan
