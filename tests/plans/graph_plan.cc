// SPDX-License-Identifier: Apache-2.0
#include "tests/plans/graph_plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "converter/graph/session_state.h"
#include "converter/graph/structured_node.h"
#include "converter/graph/text/text.h"
#include "converter/plan/plan_writer.h"
#include "converter/plan/program.h"
#include "tests/scratch_folder.h"

namespace linnet {

using converter::Constant;
using converter::Graph;

namespace {

using converter::Program;

std::vector<std::byte> Write(const converter::BuiltPlan& plan) {
  const ScratchFolder folder;
  const std::string path = folder / "plan.linnet";
  if (!WritePlan(plan, path, converter::WrittenCheck::kNone).ok()) std::abort();
  const std::string text = ReadAll(path);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

std::vector<std::byte> Write(std::span<const Program> programs,
                             converter::WeightOrder order = converter::WeightOrder::kPanels) {
  return Write(converter::BuildPlan(programs, order));
}

Program Build(const Graph& graph, std::span<const converter::PortName> inputs,
              std::span<const converter::PortName> outputs,
              const std::map<std::string, Constant>& states, const converter::Partition& partition,
              const converter::DeviceSet& devices, const converter::ProgramOptions& options = {}) {
  auto program = converter::BuildProgram(graph, "serving_default", inputs, outputs, states,
                                         partition, devices, options);
  if (!program.ok()) std::abort();
  return *std::move(program);
}

// With names of its own; states begin with zeros.
Program Build(const Graph& graph, const converter::Partition& partition,
              const converter::DeviceSet& devices, const converter::ProgramOptions& options = {}) {
  std::vector<converter::PortName> inputs, outputs;
  for (size_t i = 0; i < converter::RegionArguments(graph).size(); ++i)
    inputs.push_back({"in" + std::to_string(i), ""});
  for (size_t i = 0; i < converter::RegionResults(graph).size(); ++i)
    outputs.push_back({"out" + std::to_string(i), ""});
  std::map<std::string, Constant> states;
  for (const converter::Node* node : graph.op_nodes())
    if (node->node_class() == converter::NodeClass::kArg && converter::IsState(*node))
      states[converter::StateName(*node)] = Constant::Of<float>(
          node->type().shape,
          std::vector<float>(static_cast<size_t>(node->type().shape.num_elements())));
  return Build(graph, inputs, outputs, states, partition, devices, options);
}

std::unique_ptr<Graph> Parse(std::string_view text) {
  auto graph = converter::ParseGraph(text);
  if (graph.ok()) return *std::move(graph);
  std::fprintf(stderr, "%s\n", std::string(graph.status().message()).c_str());
  std::abort();
}

}  // namespace

std::vector<std::byte> GraphPlan(const Graph& graph, std::span<const converter::PortName> inputs,
                                 std::span<const converter::PortName> outputs,
                                 const std::map<std::string, Constant>& states,
                                 const converter::Partition& partition,
                                 const converter::DeviceSet& devices,
                                 const converter::ProgramOptions& options) {
  const Program program = Build(graph, inputs, outputs, states, partition, devices, options);
  return Write({&program, 1});
}

std::vector<std::byte> TextPlan(std::string_view text, converter::WeightOrder order,
                                const converter::ProgramOptions& options) {
  const auto graph = Parse(text);
  const Program program = Build(*graph, {}, converter::DeviceSet({}), options);
  return Write({&program, 1}, order);
}

std::vector<std::byte> StripsPlan(std::string_view text, uint32_t rows) {
  const auto graph = Parse(text);
  const Program program =
      Build(*graph, {}, converter::DeviceSet({}), {.strips = converter::StripUse::kMemory});
  converter::BuiltPlan plan = converter::BuildPlan({&program, 1});
  // Fewer rows want less memory.
  for (schema::Strips& strips : plan.structure.programs[0]->strips)
    strips = {strips.first(), strips.count(), std::min(strips.rows(), rows)};
  return Write(plan);
}

std::vector<std::byte> GraphPlan(const Graph& graph) {
  return GraphPlan(graph, {}, converter::DeviceSet({}));
}

std::vector<std::byte> GraphPlan(const Graph& graph, const converter::Partition& partition,
                                 const converter::DeviceSet& devices) {
  const Program program = Build(graph, partition, devices);
  return Write({&program, 1});
}

std::vector<std::byte> VariantsPlan(const Graph& graph, const converter::Partition& partition,
                                    const converter::DeviceSet& devices) {
  std::vector<Program> programs;
  programs.push_back(Build(graph, {}, devices));
  programs.push_back(Build(graph, partition, devices));
  programs[1].variant = kVulkanVariant;
  return Write(programs);
}

}  // namespace linnet
