// SPDX-License-Identifier: Apache-2.0
// A device profile: if it parses, it must give every device rates that are safe to divide by.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "converter/place/device_profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  static const std::string kDevices[] = {"cpu", "vulkan"};
  const absl::StatusOr<DeviceProfile> profile =
      DeviceProfile::Parse({reinterpret_cast<const char*>(data), size}, kDevices);
  if (!profile.ok()) return 0;
  for (const char* device : {"cpu", "vulkan", "other"}) {
    const DeviceRates rates = profile->RatesOf(device);
    const CopyRates copy = profile->CopyOf("cpu", device);
    for (const double rate : {rates.flops_per_s, rates.bytes_per_s, copy.bytes_per_s})
      if (!std::isfinite(rate) || rate <= 0) __builtin_trap();
  }
  return 0;
}
