// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/session/backend.h"
#include "runtime/session/prepared_weights.h"

namespace linnet {

// What a kernel may read behind a tensor, at least (XNN_EXTRA_BYTES). Memory of the caller that has
// less is copied.
inline constexpr int64_t kReadPastEnd = 16;

// The memory of one session for its tensors: the host's arena, and memory on each device of the
// plan. Inputs and outputs that only one device reads or writes lie in memory that the host and
// this device can access, if the device has such memory.
class SessionMemory {
 public:
  SessionMemory() = default;
  ~SessionMemory();
  SessionMemory(const SessionMemory&) = delete;
  SessionMemory& operator=(const SessionMemory&) = delete;

  // All of it is zero: who reads an output before the first run must not see what was in this
  // memory before. kNoMemory.
  Status Create(const PreparedWeights& weights, Region& region);
  // The part of Create for programs with steps on devices: see DeviceBackend.
  Status CreateOnDevices(const PreparedWeights& weights, Region& region);

  std::byte* arena() const { return arena_; }
  // Bytes of the arena that may be read.
  int64_t arena_bytes() const { return arena_bytes_; }
  // The memory of one of the plan's spaces, numbered from 1.
  DeviceMemory* device(int space) const { return devices_[space]; }
  // Bytes on all devices.
  int64_t device_bytes() const { return device_bytes_; }
  // Where a buffer of the plan lies; null for one on a device.
  void* home(int32_t buffer) const;
  // Whether this is memory that a device shares with the host.
  bool is_shared(int32_t buffer) const;

 private:
  // A place in the memory that a device shares with the host.
  struct Home {
    uint8_t space = 0;  // 0: the buffer lies in the arena
    int64_t offset = 0;
  };
  struct Uses;

  // device_memory.cc
  Status FindHomes(Region& region);
  void CollectUses(std::span<Uses> uses) const;
  void PlaceHomes(std::span<const Uses> uses);
  int64_t AddHome(int space, int64_t bytes);

  const PlanProgram* plan_ = nullptr;
  std::byte* arena_ = nullptr;
  int64_t arena_bytes_ = 0;
  DeviceMemory** devices_ = nullptr;  // by space; null for the host's
  int64_t* host_bytes_ = nullptr;     // by space: of the memory that it shares with the host
  Home* homes_ = nullptr;             // by buffer; null when there is no device
  int64_t device_bytes_ = 0;
};

}  // namespace linnet
