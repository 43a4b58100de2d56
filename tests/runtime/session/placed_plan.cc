// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/session/placed_plan.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "converter/graph/algorithm.h"
#include "converter/graph/session_state.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/place/place_graph.h"
#include "runtime/ops/all_attrs.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/fake_support.h"

namespace linnet {
namespace {

using converter::Device;
using converter::DeviceSet;
using converter::Graph;

std::string WhyNotOnFake(const converter::Node& node) {
  if (node.node_class() != converter::NodeClass::kOp) return "";
  const char* reason = WhyUnsupportedByFake(converter::NodeInstance(node).op());
  return reason == nullptr ? "" : reason;
}

[[noreturn]] void Fail(const absl::Status& status) {
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  std::abort();  // a mistake in a test
}

std::unique_ptr<Graph> Parse(std::string_view text) {
  auto graph = converter::ParseGraph(text);
  if (!graph.ok()) Fail(graph.status());
  return *std::move(graph);
}

converter::Partition Place(Graph& graph, const DeviceSet& devices,
                           const converter::PlaceRequest& request) {
  converter::FixupSourceAndSinkEdges(&graph);
  std::vector<std::string> notes;
  auto placed = converter::PlaceGraph(request, devices, &graph, &notes);
  if (!placed.ok()) Fail(placed.status());
  return std::move(placed->partition);
}

std::vector<std::byte> Write(Graph& graph, const DeviceSet& devices,
                             const converter::PlaceRequest& request) {
  const converter::Partition partition = Place(graph, devices, request);
  return GraphPlan(graph, partition, devices);
}

}  // namespace

DeviceSet HostAnd(std::initializer_list<const char*> keys, Layout layout) {
  Device host;
  host.name = {.type = "CPU", .id = 0};
  host.key = "cpu";
  host.is_host = true;
  host.why_unsupported = [](const converter::Node&) { return std::string(); };
  std::vector<Device> devices{host};
  for (const char* key : keys) {
    Device device;
    device.name = {.type = key, .id = 0};
    device.key = key;
    device.layout = layout;
    device.why_unsupported = WhyNotOnFake;
    device.scratch_bytes = [](const converter::Node&) { return 1000; };  // which it overwrites
    devices.push_back(std::move(device));
  }
  return DeviceSet(std::move(devices));
}

std::vector<std::byte> PlacedPlan(Graph& graph) {
  return Write(graph, HostAnd({"vulkan"}), {.place = "vulkan"});
}

std::vector<std::byte> PlacedPlan(std::string_view text) { return PlacedPlan(*Parse(text)); }

std::vector<std::byte> PlacedPlan(Layout layout, std::string_view text) {
  return Write(*Parse(text), HostAnd({"vulkan"}, layout), {.place = "vulkan"});
}

std::vector<std::byte> VariantsPlan(std::string_view text) { return VariantsPlan(*Parse(text)); }

std::vector<std::byte> VariantsPlan(Graph& graph) {
  const DeviceSet devices = HostAnd({"vulkan"});
  const converter::Partition partition = Place(graph, devices, {.place = "vulkan"});
  return VariantsPlan(graph, partition, devices);
}

std::vector<std::byte> VulkanPlan(std::string_view text, converter::GpuPrecision precision) {
  const std::unique_ptr<Graph> graph = Parse(text);
  const DeviceSet devices = converter::DevicesOfThisBuild(precision);
  const converter::Partition partition = Place(*graph, devices, {.place = "vulkan"});
  return VariantsPlan(*graph, partition, devices);
}

std::vector<std::byte> RunningSumPlan() {
  Graph graph(converter::OpRegistry::Global());
  const TensorType type{DType::kFloat32, {2}};
  converter::Node* x = graph.AddArg("x", 0, type);
  converter::Node* sum = converter::AddState(&graph, "sum", type, converter::StateStart::kZeros);
  UnaryAttrs exp;
  exp.kind = schema::UnaryKind::Exp;
  converter::Node* term = *graph.AddOp("term", exp, {{x, 0}});
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  converter::Node* next = *graph.AddOp("next", add, {{sum, 0}, {term, 0}});
  graph.AddRetval("out", 0, {next, 0});
  converter::AddNextState(&graph, "sum", {next, 0});
  return VariantsPlan(graph);
}

std::vector<std::byte> PlacedPlan(Graph& graph, const std::map<std::string, std::string>& places) {
  converter::PlaceRequest request{.place = "cpu"};
  for (const auto& [node, device] : places) request.nodes.push_back({node, device});
  return Write(graph, HostAnd({"vulkan", "npu"}), request);
}

std::vector<std::byte> PlacedPlan(std::string_view text,
                                  const std::map<std::string, std::string>& places) {
  return PlacedPlan(*Parse(text), places);
}

std::unique_ptr<converter::Graph> SumOfRuns(bool doubled) {
  auto graph = std::make_unique<Graph>(converter::OpRegistry::Global());
  const TensorType type{DType::kFloat32, {4}};
  const converter::Output x{graph->AddArg("x", 0, type), 0};
  const converter::Output before{converter::AddState(graph.get(), "sum", type), 0};
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  const converter::Output sum{*graph->AddOp("add", add, {before, x}), 0};
  converter::AddNextState(graph.get(), "sum", sum);
  const auto twice = [&] { return converter::Output{*graph->AddOp("twice", add, {sum, sum}), 0}; };
  graph->AddRetval("ret0", 0, doubled ? twice() : sum);
  return graph;
}

}  // namespace linnet
