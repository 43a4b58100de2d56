// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/device_cache.h"

#include <cstring>

#include "runtime/core/hash.h"

namespace linnet {
namespace {

// Numbers are in the byte order of the machine. Another order is another magic.
constexpr uint32_t kMagic = 0x434e4e4c;  // "LNNC"
constexpr uint16_t kVersion = 1;

struct Header {
  uint32_t magic = kMagic;
  uint16_t version = kVersion;
  uint8_t pointer_bytes = sizeof(void*);
  uint8_t verdict = 0;
  uint8_t plan[16] = {};
  uint32_t signature = 0;
  uint32_t library = 0;
  DeviceKey device;
  uint64_t driver_bytes = 0;
};
static_assert(sizeof(Header) == kDriverDataOffset);
static_assert(sizeof(DeviceKey) == 40);

constexpr size_t kHashBytes = sizeof(uint64_t);

constexpr Status kDamaged{StatusCode::kInvalidArgument, "the cache is damaged"};

Status Foreign(const char* what) { return {StatusCode::kUnsupported, what}; }

}  // namespace

Status ReadDeviceCache(std::span<const std::byte> blob, const CacheKey& key, DeviceCache* cache) {
  Header header;
  if (blob.size() < sizeof(header) + kHashBytes) return kDamaged;
  std::memcpy(&header, blob.data(), sizeof(header));
  if (header.magic != kMagic) return kDamaged;
  if (header.version != kVersion) return Foreign("the cache was made by another version of Linnet");
  const std::span<const std::byte> hashed = blob.first(blob.size() - kHashBytes);
  uint64_t hash = 0;
  std::memcpy(&hash, hashed.data() + hashed.size(), kHashBytes);
  if (header.driver_bytes != hashed.size() - sizeof(header) || hash != HashBytes(hashed) ||
      header.verdict >= kNumVerdicts)
    return kDamaged;
  if (header.library != key.library || header.pointer_bytes != sizeof(void*) ||
      header.device.programs != key.device.programs)
    return Foreign("the cache was made by another version of Linnet");
  if (std::memcmp(&header.device, &key.device, sizeof(DeviceKey)) != 0)
    return Foreign("the cache was made with another GPU or driver");
  if (std::memcmp(header.plan, key.plan, sizeof(key.plan)) != 0)
    return Foreign("the cache was made for another plan");
  if (header.signature != key.signature)
    return Foreign("the cache was made for another signature of the plan");
  *cache = {static_cast<Verdict>(header.verdict), hashed.subspan(sizeof(header))};
  return {};
}

void WriteDeviceCache(const CacheKey& key, Verdict verdict, std::span<std::byte> blob) {
  Header header;
  header.verdict = static_cast<uint8_t>(verdict);
  std::memcpy(header.plan, key.plan, sizeof(header.plan));
  header.signature = key.signature;
  header.library = key.library;
  header.device = key.device;
  const std::span<std::byte> hashed = blob.first(blob.size() - kHashBytes);
  header.driver_bytes = hashed.size() - sizeof(header);
  std::memcpy(blob.data(), &header, sizeof(header));
  const uint64_t hash = HashBytes(hashed);
  std::memcpy(blob.data() + hashed.size(), &hash, kHashBytes);
}

}  // namespace linnet
