// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/device_measurement.h"

#include <algorithm>
#include <map>
#include <optional>

#include "runtime/tools/json_writer.h"

namespace linnet::tools {
namespace {

// Steps without a measurement (in a branch not taken, or too short for the clock) do not count.
bool Counts(const MeasuredStep& step) { return step.runs > 0 && step.median_us > 0.0; }

std::optional<double> LaunchUs(std::span<const MeasuredStep> steps) {
  std::optional<double> least;
  for (const MeasuredStep& step : steps)
    if (Counts(step) && step.runs_once)
      least = std::min(least.value_or(step.median_us), step.median_us);
  return least;
}

// Work per second of the steps that `work_of` gives work to.
template <typename WorkOf>
std::optional<double> Rate(std::span<const MeasuredStep> steps, double launch_us,
                           const WorkOf& work_of) {
  double work = 0.0, us = 0.0;
  for (const MeasuredStep& step : steps) {
    const auto of_step = static_cast<double>(work_of(step));
    if (!Counts(step) || !step.runs_once || of_step < kTellingWork ||
        step.median_us < kTellingLaunches * launch_us)
      continue;
    work += of_step;
    us += step.median_us - launch_us;
  }
  if (us <= 0.0) return std::nullopt;
  return std::max(work / us * 1e6, 1.0);
}

bool MovesData(const MeasuredStep& step) {
  return step.family == OpFamily::kOther &&
         static_cast<double>(step.flops) < kMovingFlops * static_cast<double>(step.bytes);
}

// Convolutions and products read and write all their bytes, so memory is at least as fast as the
// fastest of them.
std::optional<double> BytesPerSecond(std::span<const MeasuredStep> steps, double launch_us) {
  std::optional<double> rate = Rate(
      steps, launch_us, [](const MeasuredStep& step) { return MovesData(step) ? step.bytes : 0; });
  for (const MeasuredStep& step : steps)
    if (Counts(step) && step.runs_once && step.family != OpFamily::kOther && step.bytes > 0) {
      const double least = static_cast<double>(step.bytes) / step.median_us * 1e6;
      rate = std::max(rate.value_or(least), least);
    }
  return rate;
}

struct NodeTime {
  int64_t count = 0;
  double total_us = 0.0;
};

void WriteNodes(std::span<const MeasuredStep> steps, JsonWriter& json) {
  std::map<std::string, NodeTime> nodes;
  for (const MeasuredStep& step : steps) {
    if (!Counts(step) || step.source.empty()) continue;
    NodeTime& node = nodes[step.source];
    node.count += step.runs;
    node.total_us += step.median_us * static_cast<double>(step.runs);
  }
  json.Key("nodes").BeginObject();
  for (const auto& [name, node] : nodes) {
    json.Key(name).BeginObject();
    json.Key("count").Value(node.count).Key("total_us").Value(node.total_us);
    json.EndObject();
  }
  json.EndObject();
}

void WriteRate(const char* key, std::optional<double> value, JsonWriter& json) {
  if (value.has_value()) json.Key(key).Value(*value);
}

void WriteRates(const MeasuredDevice& device, JsonWriter& json) {
  const std::optional<double> launch_us = LaunchUs(device.steps);
  const auto write = [&](const char* key, const auto& work_of) {
    WriteRate(key, Rate(device.steps, launch_us.value_or(0.0), work_of), json);
  };
  const auto write_flops = [&](const char* key, OpFamily family) {
    write(key, [family](const MeasuredStep& step) {
      return step.family == family && !MovesData(step) ? step.flops : 0;
    });
  };
  write_flops("flops_per_s", OpFamily::kProducts);
  write_flops("depthwise_flops_per_s", OpFamily::kDepthwise);
  write_flops("other_flops_per_s", OpFamily::kOther);
  WriteRate("bytes_per_s", BytesPerSecond(device.steps, launch_us.value_or(0.0)), json);
  WriteRate("launch_us", launch_us, json);
  if (device.submit_us > 0.0) json.Key("submit_us").Value(device.submit_us);
}

void WriteCopies(std::span<const MeasuredDevice> devices, JsonWriter& json) {
  for (const MeasuredDevice& device : devices) {
    if (device.copy_us <= 0.0 || device.copy_bytes < 1.0) continue;
    const char* const ends[2] = {"cpu", device.key.c_str()};
    for (const int from : {0, 1}) {
      json.BeginObject().Key("from").Value(ends[from]).Key("to").Value(ends[1 - from]);
      json.Key("bytes_per_s").Value(std::max(device.copy_bytes / device.copy_us * 1e6, 1.0));
      // The wait is in submit_us.
      json.Key("latency_us").Value(0).EndObject();
    }
  }
}

}  // namespace

std::string DeviceProfileJson(std::span<const MeasuredDevice> devices) {
  JsonWriter json;
  json.BeginObject();
  json.Key("devices").BeginObject();
  for (const MeasuredDevice& device : devices) {
    json.Key(device.key).BeginObject();
    WriteRates(device, json);
    WriteNodes(device.steps, json);
    json.EndObject();
  }
  json.EndObject();
  json.Key("copies").BeginArray();
  WriteCopies(devices, json);
  json.EndArray();
  json.EndObject();
  std::string text = json.text();
  text += '\n';
  return text;
}

}  // namespace linnet::tools
