// SPDX-License-Identifier: Apache-2.0
// Caches of devices: what is written is read again, and nothing else is.
#include "runtime/session/device_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace linnet {
namespace {

CacheKey Key() {
  CacheKey key;
  key.device = {.vendor = 1,
                .device = 2,
                .driver = 3,
                .driver_version = 4,
                .cache_uuid = {5, 6},
                .programs = 7};
  key.plan[3] = 8;
  key.signature = 9;
  key.library = 10;
  return key;
}

std::vector<std::byte> Blob(const CacheKey& key, Verdict verdict, const std::string& driver) {
  std::vector<std::byte> blob(static_cast<size_t>(DeviceCacheBytes(std::ssize(driver))));
  std::memcpy(blob.data() + kDriverDataOffset, driver.data(), driver.size());
  WriteDeviceCache(key, verdict, blob);
  return blob;
}

TEST(DeviceCache, IsReadAsItWasWritten) {
  for (const std::string& driver : {std::string(), std::string(1000, 'x'), std::string("odd")}) {
    for (int verdict = 0; verdict < kNumVerdicts; ++verdict) {
      const std::vector<std::byte> blob = Blob(Key(), static_cast<Verdict>(verdict), driver);
      // At any alignment.
      std::vector<std::byte> shifted(blob.size() + 1);
      std::memcpy(shifted.data() + 1, blob.data(), blob.size());
      DeviceCache cache;
      const Status status = ReadDeviceCache(std::span(shifted).subspan(1), Key(), &cache);
      ASSERT_TRUE(status.ok()) << status.what();
      EXPECT_EQ(cache.verdict, static_cast<Verdict>(verdict));
      EXPECT_EQ(
          std::string(reinterpret_cast<const char*>(cache.driver.data()), cache.driver.size()),
          driver);
    }
  }
}

// Each byte, each bit and all its bits.
TEST(DeviceCache, AFlippedByteIsRefused) {
  std::vector<std::byte> blob = Blob(Key(), Verdict::kPassed, "the driver's own");
  for (std::byte& byte : blob) {
    for (int flip = 1; flip < 256; ++flip) {
      byte ^= static_cast<std::byte>(flip);
      DeviceCache cache;
      EXPECT_FALSE(ReadDeviceCache(blob, Key(), &cache).ok())
          << "byte " << &byte - blob.data() << ", bits " << flip;
      EXPECT_EQ(cache.verdict, Verdict::kNone);
      byte ^= static_cast<std::byte>(flip);
    }
  }
}

TEST(DeviceCache, AnotherLengthIsRefused) {
  std::vector<std::byte> blob = Blob(Key(), Verdict::kPassed, "the driver's own");
  DeviceCache cache;
  for (size_t bytes = 0; bytes < blob.size(); ++bytes) {
    // In memory of its own, so that AddressSanitizer sees each access behind it.
    const std::vector<std::byte> part(blob.begin(), blob.begin() + static_cast<int64_t>(bytes));
    EXPECT_EQ(ReadDeviceCache(part, Key(), &cache).code(), StatusCode::kInvalidArgument) << bytes;
  }
  blob.push_back(std::byte{0});
  EXPECT_EQ(ReadDeviceCache(blob, Key(), &cache).code(), StatusCode::kInvalidArgument);
}

TEST(DeviceCache, AnotherKeyIsRefused) {
  const std::vector<std::byte> blob = Blob(Key(), Verdict::kPassed, "the driver's own");
  const auto refused = [&](const CacheKey& key) {
    DeviceCache cache;
    const Status status = ReadDeviceCache(blob, key, &cache);
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << status.what();
    return std::string(status.what());
  };
  const std::string kDevice = "the cache was made with another GPU or driver",
                    kLibrary = "the cache was made by another version of Linnet";
  CacheKey key = Key();
  for (uint32_t* field :
       {&key.device.vendor, &key.device.device, &key.device.driver, &key.device.driver_version}) {
    ++*field;
    EXPECT_EQ(refused(key), kDevice);
    --*field;
  }
  for (uint8_t& byte : key.device.cache_uuid) {
    ++byte;
    EXPECT_EQ(refused(key), kDevice);
    --byte;
  }
  for (uint8_t& byte : key.plan) {
    ++byte;
    EXPECT_EQ(refused(key), "the cache was made for another plan");
    --byte;
  }
  key.signature = 0;
  EXPECT_EQ(refused(key), "the cache was made for another signature of the plan");
  key = Key();
  key.library = 11;
  EXPECT_EQ(refused(key), kLibrary);
  key = Key();
  key.device.programs = 1;
  EXPECT_EQ(refused(key), kLibrary);
}

}  // namespace
}  // namespace linnet
