// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/backends/vulkan/prepared_net.h"

#include <gtest/gtest.h>

#include "converter/graph/algorithm.h"
#include "converter/graph/text/text.h"
#include "converter/place/place_graph.h"
#include "runtime/backends/portable/backend.h"
#include "tests/plans/graph_plan.h"

namespace linnet::vulkan {

std::vector<std::byte> PlanFor(const std::string& text) {
  const auto graph = converter::ParseGraph(text);
  if (!graph.ok()) {
    ADD_FAILURE() << graph.status().message() << "\n" << text;
    return {};
  }
  converter::FixupSourceAndSinkEdges(graph->get());
  const converter::DeviceSet devices = converter::DevicesOfThisBuild();
  std::vector<std::string> notes;
  const auto placed = converter::PlaceGraph({.place = "vulkan"}, devices, graph->get(), &notes);
  if (placed.ok()) return VariantsPlan(**graph, placed->partition, devices);
  ADD_FAILURE() << placed.status().message();
  return {};
}

Status PreparedNet::Prepare() {
  backends_[0] = &gpu_;
  backends_[1] = &portable::GetBackend();
  LINNET_RETURN_IF_ERROR(
      VerifyPlan({file_.data, static_cast<size_t>(file_.bytes)}, region_, &plan_, &diagnostic_));
  for (size_t i = 0; i < plan_.programs.size(); ++i)
    if (plan_.view.programs[i].variant == Variant::kVulkan)
      return weights_.Prepare(plan_.programs[i], plan_.view, file_, backends_, &diagnostic_);
  return {StatusCode::kUnsupported, "the plan has no program for GPUs"};
}

std::vector<std::vector<float>> RunOnce(Interpreter& session) {
  const PlanProgram& program = session.program();
  for (int i = 0; i < static_cast<int>(program.inputs.size()); ++i) {
    const bool is_float = session.input_type(i).dtype == DType::kFloat32;
    for (int64_t k = 0; k < session.input_type(i).shape.num_elements(); ++k) {
      if (is_float)
        static_cast<float*>(session.input_data(i))[k] = static_cast<float>(k * 37 % 101) / 50 - 1;
      else
        static_cast<int32_t*>(session.input_data(i))[k] = static_cast<int32_t>(k * 3 % 7);
    }
  }
  const Status status = session.Run();
  EXPECT_TRUE(status.ok()) << status.what();
  std::vector<std::vector<float>> outputs;
  for (int i = 0; i < static_cast<int>(program.outputs.size()); ++i) {
    const auto* data = static_cast<const float*>(session.output_data(i));
    outputs.emplace_back(data, data + session.output_type(i).shape.num_elements());
  }
  return outputs;
}

}  // namespace linnet::vulkan
