// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/status_words.h"

#include <cstring>

#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

constexpr int64_t kWordBytes = sizeof(uint32_t);

}  // namespace

Status StatusWords::Add(int32_t step, const char* message, int buffer, Region& region,
                        Access* window) {
  auto* word = region.New<Word>();
  if (word == nullptr) return {StatusCode::kNoMemory, "out of memory"};
  *word = {.step = step, .message = message, .offset = bytes_};
  (last_ == nullptr ? first_ : last_->next) = word;
  last_ = word;
  *window = {buffer, bytes_, bytes_ + kWordBytes, /*written=*/true};
  bytes_ += kWindowAlignment;
  return {};
}

Status StatusWords::Allocate() {
  return first_ == nullptr ? Status() : NewBuffer(device_, bytes_, Usage::kHost, &buffer_);
}

Status StatusWords::Clear() {
  if (first_ == nullptr) return {};
  for (const Word* word = first_; word != nullptr; word = word->next)
    std::memset(buffer_.mapped + word->offset, 0, kWordBytes);
  return Flush(device_, buffer_, 0, bytes_);
}

Status StatusWords::Check() {
  if (first_ == nullptr) return {};
  LINNET_RETURN_IF_ERROR(Invalidate(device_, buffer_, 0, bytes_));
  for (const Word* word = first_; word != nullptr; word = word->next) {
    uint32_t found = 0;
    std::memcpy(&found, buffer_.mapped + word->offset, kWordBytes);
    if (found != 0) return {StatusCode::kBadIndex, word->message, word->step};
  }
  return {};
}

}  // namespace linnet::vulkan
