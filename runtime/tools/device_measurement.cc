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

// Work per second of the steps with multiply-accumulates (flops), or of the others (bytes).
std::optional<double> Rate(std::span<const MeasuredStep> steps, double launch_us, bool products) {
  double work = 0.0, us = 0.0;
  for (const MeasuredStep& step : steps) {
    if (!Counts(step) || !step.runs_once || (step.macs > 0) != products) continue;
    work += products ? 2.0 * static_cast<double>(step.macs) : static_cast<double>(step.bytes);
    us += step.median_us - launch_us;
  }
  if (work < 1.0 || us <= 0.0) return std::nullopt;
  return std::max(work / us * 1e6, 1.0);
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

}  // namespace

std::string DeviceProfileJson(std::span<const MeasuredStep> steps) {
  JsonWriter json;
  const auto write = [&](const char* key, std::optional<double> value) {
    if (value.has_value()) json.Key(key).Value(*value);
  };
  json.BeginObject();
  json.Key("devices").BeginObject();
  json.Key("cpu").BeginObject();
  const std::optional<double> launch_us = LaunchUs(steps);
  write("flops_per_s", Rate(steps, launch_us.value_or(0.0), /*products=*/true));
  write("bytes_per_s", Rate(steps, launch_us.value_or(0.0), /*products=*/false));
  write("launch_us", launch_us);
  WriteNodes(steps, json);
  json.EndObject();
  json.EndObject();
  json.EndObject();
  std::string text = json.text();
  text += '\n';
  return text;
}

}  // namespace linnet::tools
