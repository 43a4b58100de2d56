// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/session/backend.h"
#include "tests/runtime/session/fake_device.h"

namespace linnet::fake {

inline constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory for the fake device"};

// Pages that cannot be accessed unless they are open.
class ClosedPages {
 public:
  bool Map(int64_t bytes);
  void Unmap();
  void Open();
  void Close();

  std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }  // that were asked for
  // Whether the bytes are among those that were asked for.
  bool Holds(int64_t offset, int64_t bytes) const {
    return offset >= 0 && bytes >= 0 && bytes <= bytes_ - offset;
  }

 private:
  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;   // asked for
  int64_t mapped_ = 0;  // with what kernels may read behind them
};

class OpenScope {
 public:
  explicit OpenScope(ClosedPages& pages) : pages_(pages) { pages_.Open(); }
  ~OpenScope() { pages_.Close(); }
  OpenScope(const OpenScope&) = delete;
  OpenScope& operator=(const OpenScope&) = delete;

 private:
  ClosedPages& pages_;
};

class Weights final : public PackedWeights {
 public:
  explicit Weights(const FakeDevice& device) : device_(device) { ++device_.counts().alive; }
  int64_t device_bytes() const override { return bytes; }
  void Destroy() override;

  ClosedPages pages;
  int64_t bytes = 0, used = 0;

 private:
  const FakeDevice& device_;
};

class Memory final : public DeviceMemory {
 public:
  explicit Memory(const FakeDevice& device) : device_(device) { ++device_.counts().alive; }
  void* host_data() const override { return host_; }
  int64_t device_bytes() const override { return pages.bytes() + wanted_host_bytes_; }
  void Destroy() override;
  bool MapHost(int64_t bytes);
  bool IsHosts(const void* address) const {
    const auto* byte = static_cast<const std::byte*>(address);
    return byte >= host_ && byte < host_ + host_bytes_;
  }

  ClosedPages pages;

 private:
  const FakeDevice& device_;
  std::byte* host_ = nullptr;
  int64_t host_bytes_ = 0;         // mapped
  int64_t wanted_host_bytes_ = 0;  // asked for
};

// What Pack makes of a step's constants.
struct Packed {
  static constexpr int kMaxInputs = 2;
  std::byte* inputs[kMaxInputs] = {};  // null when the input is no constant
};

}  // namespace linnet::fake
