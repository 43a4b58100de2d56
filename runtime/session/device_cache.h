// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/core/status.h"
#include "runtime/session/backend.h"

// What a process learns about a plan on a device, as bytes that an application stores for the next
// process: whether the device can be trusted, and what its driver compiled.
//
//   header | the driver's data | hash of all bytes before
namespace linnet {

// Whether a program runs on a device as it should. Values are part of the format; append only.
enum class Verdict : uint8_t {
  kNone = 0,        // nobody knows
  kAttempting = 1,  // a process was about to find out, and said no more
  kPassed = 2,      // the self-test found it in order, as it computes when told to be precise
  kFailed = 3,      // the self-test found it wrong
  kLost = 4,        // the device stopped working
  kUntestable = 5,  // the self-test could not be done
  kPassedFast =
      6,  // as kPassed, as it computes where it prefers speed (DeviceBackend::PrefersSpeed)
};
inline constexpr int kNumVerdicts = 7;

// What a cache is about. One that was made for another key is of no use.
struct CacheKey {
  DeviceKey device;
  uint8_t plan[16] = {};   // the hash in its header
  uint32_t signature = 0;  // number in the plan
  uint32_t library = 0;    // version
};

struct DeviceCache {
  Verdict verdict = Verdict::kNone;
  std::span<const std::byte> driver;  // what PackedWeights::SaveCache wrote
};

// Checks every byte. `cache->driver` points into `blob`, which may come from anywhere and have any
// alignment. kInvalidArgument: it is damaged; kUnsupported: it was made for something else.
Status ReadDeviceCache(std::span<const std::byte> blob, const CacheKey& key, DeviceCache* cache);

// Where the driver's data starts in a blob, and bytes of a blob.
inline constexpr int64_t kDriverDataOffset = 80;
constexpr int64_t DeviceCacheBytes(int64_t driver_bytes) {
  return kDriverDataOffset + driver_bytes + static_cast<int64_t>(sizeof(uint64_t));
}
// Writes the rest of a blob into which the driver's data was written already. REQUIRES:
// blob.size() == DeviceCacheBytes(driver_bytes).
void WriteDeviceCache(const CacheKey& key, Verdict verdict, std::span<std::byte> blob);

}  // namespace linnet
