// SPDX-License-Identifier: Apache-2.0
#include "converter/place/device_profile.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "converter/import/mapped_file.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace linnet::converter {
namespace {

using Json = nlohmann::json;

// Four big cores. A GPU of the same price is hardly faster where work is small or moves much
// memory, and far slower in depthwise convolutions: on most phones it loses in MobileNets, and wins
// in nets of large convolutions.
constexpr DeviceRates kCpu = {.flops_per_s = 80e9, .bytes_per_s = 20e9, .launch_us = 2};
constexpr DeviceRates kVulkan = {.flops_per_s = 120e9,
                                 .depthwise_flops_per_s = 12e9,
                                 .other_flops_per_s = 40e9,
                                 .bytes_per_s = 20e9,
                                 .launch_us = 30,
                                 .submit_us = 200};
// Both share the same memory chips. The wait is in the submission.
constexpr CopyRates kToVulkan = {.bytes_per_s = 5e9};
constexpr CopyRates kFromVulkan = {.bytes_per_s = 5e9};

// The keys of a device's rates.
struct Rate {
  std::string_view key;
  double least;
  double DeviceRates::*field;
};
constexpr Rate kRates[] = {{"flops_per_s", 1, &DeviceRates::flops_per_s},
                           {"depthwise_flops_per_s", 1, &DeviceRates::depthwise_flops_per_s},
                           {"other_flops_per_s", 1, &DeviceRates::other_flops_per_s},
                           {"bytes_per_s", 1, &DeviceRates::bytes_per_s},
                           {"launch_us", 0, &DeviceRates::launch_us},
                           {"submit_us", 0, &DeviceRates::submit_us}};

const Rate* FindRate(std::string_view key) {
  const auto* found = std::ranges::find(kRates, key, &Rate::key);
  return found == std::end(kRates) ? nullptr : found;
}

class ProfileParser {
 public:
  ProfileParser(std::span<const std::string> known_devices, DeviceProfile* profile)
      : known_devices_(known_devices), profile_(*profile) {}

  std::vector<std::string> Parse(const Json& root) {
    if (!root.is_object()) return {"it is no JSON object"};
    for (const auto& [key, value] : root.items()) {
      if (key == "devices") {
        Devices(value);
      } else if (key == "copies") {
        Copies(value);
      } else {
        Unknown(key, "devices, copies");
      }
    }
    return std::move(problems_);
  }

 private:
  template <typename... Args>
  void Problem(fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  void Unknown(const std::string& key, const char* known) {
    Problem("there is no key '{}'; known: {}", key, known);
  }

  bool IsDevice(const std::string& key) {
    if (std::ranges::count(known_devices_, key) > 0) return true;
    Problem("there is no device '{}'; known: {}", key, fmt::join(known_devices_, ", "));
    return false;
  }

  // A finite number of at least `min`.
  bool Number(const Json& value, const std::string& where, double min, double* number) {
    const double given = value.is_number() ? value.get<double>() : std::nan("");
    if (!(given >= min) || std::isinf(given)) {
      Problem("'{}' is {}, want a number of at least {}", where, value.dump(), min);
      return false;
    }
    *number = given;
    return true;
  }

  void Devices(const Json& devices) {
    if (!devices.is_object()) return Problem("'devices' is no object");
    for (const auto& [device, entry] : devices.items()) {
      if (!IsDevice(device)) continue;
      if (!entry.is_object()) {
        Problem("'{}' is no object", device);
        continue;
      }
      DeviceRates& rates =
          profile_.devices.try_emplace(device, profile_.RatesOf(device)).first->second;
      // Given alone, it is the rate of all steps.
      if (entry.contains("flops_per_s")) rates.depthwise_flops_per_s = rates.other_flops_per_s = 0;
      for (const auto& [key, value] : entry.items()) {
        if (key == "nodes") {
          Nodes(device, value);
        } else if (const Rate* rate = FindRate(key); rate != nullptr) {
          Number(value, key, rate->least, &(rates.*rate->field));
        } else {
          Unknown(key,
                  "flops_per_s, depthwise_flops_per_s, other_flops_per_s, bytes_per_s, launch_us, "
                  "submit_us, nodes");
        }
      }
    }
  }

  void Nodes(const std::string& device, const Json& nodes) {
    if (!nodes.is_object()) return Problem("'nodes' is no object");
    std::vector<int64_t> counts;
    auto& measured = profile_.measured[device];
    for (const auto& [name, entry] : nodes.items()) {
      double count = 0, total_us = 0;
      if (!entry.is_object() || !entry.contains("count") || !entry.contains("total_us") ||
          entry.size() != 2) {
        Problem("node '{}' is not {{\"count\": .., \"total_us\": ..}}", name);
      } else if (Number(entry["count"], name, 1, &count) &&
                 Number(entry["total_us"], name, 0, &total_us)) {
        measured[name] = {static_cast<int64_t>(std::min(count, 1e15)), total_us};
        counts.push_back(measured[name].count);
      }
    }
    if (counts.empty()) return;
    std::ranges::nth_element(counts, counts.begin() + std::ssize(counts) / 2);
    const int64_t median = counts[counts.size() / 2];
    std::erase_if(measured, [&](const auto& row) { return row.second.count < median / 2; });
  }

  void Copies(const Json& copies) {
    if (!copies.is_array()) return Problem("'copies' is no array");
    for (const Json& entry : copies) {
      if (!entry.is_object() || !entry.contains("from") || !entry.contains("to") ||
          !entry["from"].is_string() || !entry["to"].is_string()) {
        Problem("a copy wants 'from' and 'to'");
        continue;
      }
      const std::string from = entry["from"], to = entry["to"];
      if (!IsDevice(from) || !IsDevice(to)) continue;
      CopyRates& rates =
          profile_.copies.try_emplace({from, to}, profile_.CopyOf(from, to)).first->second;
      for (const auto& [key, value] : entry.items()) {
        if (key == "bytes_per_s") {
          Number(value, key, 1, &rates.bytes_per_s);
        } else if (key == "latency_us") {
          Number(value, key, 0, &rates.latency_us);
        } else if (key != "from" && key != "to") {
          Unknown(key, "from, to, bytes_per_s, latency_us");
        }
      }
    }
  }

  std::span<const std::string> known_devices_;
  DeviceProfile& profile_;
  std::vector<std::string> problems_;
};

}  // namespace

DeviceRates DeviceProfile::RatesOf(std::string_view device) const {
  const auto it = devices.find(device);
  return it == devices.end() ? kCpu : it->second;
}

CopyRates DeviceProfile::CopyOf(const std::string& from, const std::string& to) const {
  const auto it = copies.find({from, to});
  return it == copies.end() ? kToVulkan : it->second;
}

DeviceProfile DeviceProfile::Default() {
  DeviceProfile profile;
  profile.devices = {{"cpu", kCpu}, {"vulkan", kVulkan}};
  profile.copies = {{{"cpu", "vulkan"}, kToVulkan}, {{"vulkan", "cpu"}, kFromVulkan}};
  return profile;
}

absl::StatusOr<DeviceProfile> DeviceProfile::Parse(std::string_view json,
                                                   std::span<const std::string> known_devices) {
  DeviceProfile profile = Default();
  const Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  const std::vector<std::string> problems = ProfileParser(known_devices, &profile).Parse(root);
  if (!problems.empty())
    return absl::InvalidArgumentError(
        fmt::format("not a device profile: {}", fmt::join(problems, "; ")));
  return profile;
}

absl::StatusOr<DeviceProfile> DeviceProfile::Read(const std::string& path,
                                                  std::span<const std::string> known_devices) {
  const absl::StatusOr<OwnedBytes> file = MapFile(path);
  if (!file.ok()) return file.status();
  return Parse({reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size()},
               known_devices);
}

}  // namespace linnet::converter
