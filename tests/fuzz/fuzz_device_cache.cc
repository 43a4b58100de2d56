// SPDX-License-Identifier: Apache-2.0
// A cache of a device, as an application might give it: what is read must be what was written. Half
// of the inputs get the right hash, so that the checks behind it are reached; they differ by the
// first byte, which is taken off.
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/core/hash.h"
#include "runtime/session/device_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet;
  if (size == 0) return 0;
  // Of its own size, so that AddressSanitizer sees each access behind it.
  std::vector<std::byte> blob(size - 1);
  if (!blob.empty()) std::memcpy(blob.data(), data + 1, blob.size());
  if (data[0] % 2 != 0 && blob.size() >= 8) {
    const uint64_t hash = HashBytes({blob.data(), blob.size() - 8});
    std::memcpy(blob.data() + blob.size() - 8, &hash, 8);
  }
  const CacheKey key;
  DeviceCache cache;
  if (!ReadDeviceCache(blob, key, &cache).ok()) {
    if (cache.verdict != Verdict::kNone || !cache.driver.empty()) __builtin_trap();
    return 0;
  }
  std::vector<std::byte> again(
      static_cast<size_t>(DeviceCacheBytes(static_cast<int64_t>(cache.driver.size()))));
  if (again.size() != blob.size()) __builtin_trap();
  if (!cache.driver.empty())
    std::memcpy(again.data() + kDriverDataOffset, cache.driver.data(), cache.driver.size());
  WriteDeviceCache(key, cache.verdict, again);
  if (again != blob) __builtin_trap();
  return 0;
}
