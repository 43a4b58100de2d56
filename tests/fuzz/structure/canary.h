// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

namespace linnet::fuzz {

// Memory to bind, surrounded by bytes that must not be written. AddressSanitizer does not see what
// XNNPACK writes.
class CanaryMemory {
 public:
  // `shift` 0: aligned to 64 bytes.
  CanaryMemory(size_t bytes, size_t shift)
      : bytes_(bytes),
        shift_(shift),
        block_(static_cast<uint8_t*>(std::aligned_alloc(64, Total()))) {
    std::fill_n(block_.get(), Total(), kCanary);
  }
  uint8_t* data() const { return block_.get() + kFence + shift_; }
  size_t size() const { return bytes_; }
  bool IsIntact() const {
    const auto is_canary = [](uint8_t byte) { return byte == kCanary; };
    return std::all_of(block_.get(), data(), is_canary) &&
           std::all_of(data() + bytes_, block_.get() + Total(), is_canary);
  }

 private:
  static constexpr size_t kFence = 256;
  static constexpr uint8_t kCanary = 0xC5;
  struct Free {
    void operator()(uint8_t* block) const { std::free(block); }
  };
  size_t Total() const { return (2 * kFence + shift_ + bytes_ + 63) / 64 * 64; }

  size_t bytes_, shift_;
  std::unique_ptr<uint8_t, Free> block_;
};

}  // namespace linnet::fuzz
