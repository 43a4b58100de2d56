// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/hazards.h"
#include "runtime/backends/vulkan/memory.h"
#include "runtime/core/region.h"

namespace linnet::vulkan {

// How the dispatches of a segment make a run fail: each that may meet a bad index has a word of its
// own in a buffer that both sides access, which is 0 before a run. Words do not share windows, so
// that no two dispatches wait for each other because of them. Segments without such dispatches have
// no buffer and pay nothing.
class StatusWords {
 public:
  explicit StatusWords(Device& device) : device_(device) {}

  // Adds a word for a dispatch of this step of the plan; in the order in which steps run. *window
  // is where the dispatch finds it, in `buffer`. kNoMemory.
  Status Add(int32_t step, const char* message, int buffer, Region& region, Access* window);
  // Allocates the buffer, after the last Add. kNoMemory.
  Status Allocate();
  // Before each submission.
  Status Clear();
  // After the wait: kBadIndex with the first step whose word was set.
  Status Check();
  // May be called more than once.
  void Free() { FreeBuffer(device_, &buffer_); }

  VkBuffer handle() const { return buffer_.handle; }
  int64_t device_bytes() const { return buffer_.allocated; }

 private:
  struct Word {
    Word* next = nullptr;
    int32_t step = kNoStep;
    const char* message = "";
    int64_t offset = 0;
  };

  Device& device_;
  Buffer buffer_;
  int64_t bytes_ = 0;  // of all words
  Word* first_ = nullptr;
  Word* last_ = nullptr;
};

}  // namespace linnet::vulkan
