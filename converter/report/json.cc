// SPDX-License-Identifier: Apache-2.0
#include "converter/report/json.h"

#include "nlohmann/json.hpp"

namespace linnet::converter {
namespace {

using Json = nlohmann::ordered_json;

Json TypeJson(const TensorType& type) {
  return {{"dtype", DTypeName(type.dtype)},
          {"shape", std::vector<int64_t>(type.shape.begin(), type.shape.end())}};
}

Json PortsJson(const std::vector<ConversionReport::Port>& ports) {
  Json rows = Json::array();
  for (const auto& port : ports) {
    Json row{{"name", port.name}, {"source", port.source}};
    row.update(TypeJson(port.type));
    if (!port.smallest.empty()) row["smallest"] = port.smallest;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json StepsJson(const std::vector<ConversionReport::Step>& steps) {
  Json rows = Json::array();
  for (size_t i = 0; i < steps.size(); ++i) {
    const ConversionReport::Step& step = steps[i];
    Json row{{"index", i},
             {"op", step.op},
             {"source", step.source},
             {"attributes", step.attributes},
             {"device", step.device},
             {"backend", step.backend},
             {"reason", step.reason},
             {"macs", step.macs},
             {"bytes", step.bytes},
             {"weight_bytes", step.weight_bytes},
             {"scratch_bytes", step.scratch_bytes}};
    row.update(TypeJson(step.output));
    row["reads"] = step.reads;
    row["region"] = step.region;
    row["strips"] = step.strips;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json StripsJson(const std::vector<ConversionReport::Strips>& strips) {
  Json rows = Json::array();
  for (const auto& own : strips)
    rows.push_back(
        {{"first", own.first}, {"count", own.count}, {"rows", own.rows}, {"bytes", own.bytes}});
  return rows;
}

Json RegionsJson(const std::vector<ConversionReport::Region>& regions) {
  Json rows = Json::array();
  for (const auto& region : regions) rows.push_back({{"step", region.step}, {"role", region.role}});
  return rows;
}

Json MemoryJson(const ConversionReport::Memory& memory) {
  Json placements = Json::array();
  for (const auto& placement : memory.placements)
    placements.push_back({{"name", placement.name},
                          {"offset", placement.offset},
                          {"bytes", placement.bytes},
                          {"first_step", placement.first_step},
                          {"last_step", placement.last_step}});
  Json devices = Json::array();
  for (const auto& space : memory.devices)
    devices.push_back({{"device", space.device},
                       {"layout", space.layout},
                       {"bytes", space.bytes},
                       {"lower_bound", space.lower_bound},
                       {"naive", space.naive}});
  return {{"arena_bytes", memory.arena_bytes},
          {"lower_bound", memory.lower_bound},
          {"naive", memory.naive},
          {"imported_bound", memory.imported_bound},
          {"devices", std::move(devices)},
          {"placements", std::move(placements)}};
}

Json PlacementJson(const ConversionReport::Devices& placement) {
  Json devices = Json::array();
  for (const auto& share : placement.shares)
    devices.push_back(
        {{"device", share.device}, {"steps", share.steps}, {"estimated_us", share.estimated_us}});
  return {{"devices", std::move(devices)},
          {"segments", placement.segments},
          {"copies", placement.copies},
          {"copy_bytes", placement.copy_bytes},
          {"estimated_us", placement.estimated_us}};
}

Json VariantsJson(const std::vector<ConversionReport>& variants) {
  Json rows = Json::array();
  for (const ConversionReport& variant : variants)
    rows.push_back({{"variant", variant.variant},
                    {"steps", StepsJson(variant.steps)},
                    {"regions", RegionsJson(variant.regions)},
                    {"strips", StripsJson(variant.strips)},
                    {"memory", MemoryJson(variant.memory)}});
  return rows;
}

}  // namespace

std::string ReportJson(const ConversionReport& report) {
  Json problems = Json::array();
  for (const Problem& problem : report.problems)
    problems.push_back({{"node", problem.node},
                        {"op", problem.op},
                        {"reason", problem.reason},
                        {"remedy", problem.remedy}});
  Json stages = Json::object();
  for (const auto& stage : report.stages) stages[stage.name] = stage.ms;
  Json passes = Json::array();
  for (const auto& pass : report.passes)
    passes.push_back({{"name", pass.name}, {"rewrites", pass.rewrites}, {"ms", pass.ms}});
  const Json root{{"succeeded", report.succeeded},
                  {"model", report.model},
                  {"format", report.format},
                  {"signature", report.signature},
                  {"variant", report.variant},
                  {"plan", report.plan},
                  {"problems", std::move(problems)},
                  {"notes", report.notes},
                  {"inputs", PortsJson(report.inputs)},
                  {"outputs", PortsJson(report.outputs)},
                  {"stages_ms", std::move(stages)},
                  {"passes", std::move(passes)},
                  {"ops_before", report.ops_before},
                  {"ops_after", report.ops_after},
                  {"steps", StepsJson(report.steps)},
                  {"placement", PlacementJson(report.placement)},
                  {"regions", RegionsJson(report.regions)},
                  {"strips", StripsJson(report.strips)},
                  {"memory", MemoryJson(report.memory)},
                  {"variants", VariantsJson(report.variants)},
                  {"weights",
                   {{"count", report.weights.count},
                    {"bytes", report.weights.bytes},
                    {"by_encoding", report.weights.by_encoding}}},
                  {"plan_bytes", report.plan_bytes},
                  {"total_ms", report.total_ms},
                  {"peak_rss_bytes", report.peak_rss_bytes}};
  return root.dump(1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

}  // namespace linnet::converter
