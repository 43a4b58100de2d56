// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/place/placer.h"

namespace linnet::converter {

// The ops that TensorFlow's placer_test.cc registers, and which of its two fake devices have a
// kernel for each.
inline const OpRegistry* PlacerOps() {
  static const OpRegistry* const kOps = [] {
    auto* table = new OpTable(OpRegistry::Global());
    const std::string in = R"( input_arg { name: "a" type: DT_FLOAT })";
    const std::string out = R"( output_arg { name: "o" type: DT_FLOAT })";
    const std::string ref_out = R"( output_arg { name: "o" type: DT_FLOAT is_ref: true })";
    const std::string ref_in = R"( input_arg { name: "i" type: DT_FLOAT is_ref: true })";
    const std::string handle_in = R"( input_arg { name: "i" type: DT_RESOURCE })";
    const std::string handle = R"( output_arg { name: "h" type: DT_RESOURCE })";
    const std::string text =
        R"(op { name: "TestInput" output_arg { name: "a" type: DT_FLOAT } output_arg { name: "b" type: DT_FLOAT } }
           op { name: "TestAdd" input_arg { name: "b" type: DT_FLOAT })" +
        in + out + "}" + "op { name: 'TestRelu'" + in + out + "} op { name: 'ReluCPU'" + in + out +
        "} op { name: 'ReluGPU'" + in + out + "} op { name: 'Generator'" + out +
        "} op { name: 'GeneratorCPU'" + out + "} op { name: 'GeneratorGPU'" + out +
        "} op { name: 'TestVariable'" + ref_out + "} op { name: 'VariableCPU'" + ref_out +
        "} op { name: 'VariableGPU'" + ref_out + "} op { name: 'VariableNoKernels'" + ref_out +
        "} op { name: 'TestAssign'" + ref_in + in + "} op { name: 'AssignCPU'" + ref_in + in +
        "} op { name: 'AssignGPU'" + ref_in + in + "} op { name: 'ReadVariable'" + ref_in + out +
        "} op { name: 'TestHandle'" + handle + "} op { name: 'HandleCPU'" + handle +
        "} op { name: 'HandleGPU'" + handle + "} op { name: 'PassHandle'" + handle_in + handle +
        "} op { name: 'TestHandleAssign'" + handle_in + in + "} op { name: 'HandleAssignCPU'" +
        handle_in + in + "} op { name: 'HandleAssignGPU'" + handle_in + in +
        "} op { name: 'ReadHandleGPU'" + handle_in + out +
        R"(} op { name: "ReadHandle" input_arg { name: "h" type: DT_RESOURCE })" + out +
        R"(} op { name: "TwoHandles" input_arg { name: "h" type: DT_RESOURCE }
                  input_arg { name: "g" type: DT_RESOURCE })" +
        out + R"(} op { name: "TestString" output_arg { name: "s" type: DT_STRING } })";
    if (!table->AddText(text).ok()) __builtin_trap();
    return table;
  }();
  return kOps;
}

inline Device FakeDevice(const std::string& type, int id, int priority,
                         std::set<std::string> lacks) {
  Device device;
  device.name = {.job = "a", .replica = 0, .task = 0, .type = type, .id = id};
  device.key = type == "FakeCPU" ? "cpu" : "gpu";
  device.priority = priority;
  device.is_host = type == "FakeCPU";
  device.why_unsupported = [lacks = std::move(lacks)](const Node& node) -> std::string {
    return lacks.contains(node.op_name()) ? "no kernel" : "";
  };
  return device;
}

// Two devices of each type; FakeGPU is preferred.
inline DeviceSet FakeDevices() {
  std::vector<Device> devices;
  for (int id : {1, 0}) {
    devices.push_back(
        FakeDevice("FakeCPU", id, 10,
                   {"ReluGPU", "VariableGPU", "AssignGPU", "VariableNoKernels", "GeneratorGPU",
                    "HandleGPU", "HandleAssignGPU", "ReadHandleGPU"}));
    devices.push_back(
        FakeDevice("FakeGPU", id, 20,
                   {"TestInput", "ReluCPU", "GeneratorCPU", "VariableCPU", "AssignCPU", "HandleCPU",
                    "HandleAssignCPU", "VariableNoKernels"}));
  }
  return DeviceSet(std::move(devices));
}

// For Linnet ops: the host, and a GPU that multiplies and adds floats but does not run Softmax.
inline DeviceSet CpuAndGpu(Layout layout = Layout::kDense) {
  Device cpu;
  cpu.name = {.type = "CPU", .id = 0};
  cpu.key = "cpu";
  cpu.is_host = true;
  cpu.why_unsupported = [](const Node&) { return std::string(); };
  Device gpu;
  gpu.name = {.type = "GPU", .id = 0};
  gpu.key = "vulkan";
  gpu.layout = layout;
  gpu.host_dtypes = {DType::kInt32};
  gpu.why_unsupported = [](const Node& node) -> std::string {
    if (node.node_class() != NodeClass::kOp) return "";
    if (node.op_name() == "Softmax") return "no lowering";
    return node.type().dtype == DType::kFloat32 ? "" : "float32 only";
  };
  return DeviceSet({std::move(cpu), std::move(gpu)});
}

inline std::unique_ptr<Graph> LinnetGraph(const std::string& text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  FixupSourceAndSinkEdges(graph->get());
  return *std::move(graph);
}

// Graphs of TensorFlow ops in text form, placed on fake devices.
class PlacerTest : public testing::Test {
 protected:
  PlacerTest() { options_.choice = Choice::kPreferred; }

  void Parse(const std::string& text) {
    graph_ = std::make_unique<Graph>(PlacerOps());
    const absl::Status status = ParseGraph(text, graph_.get());
    ASSERT_TRUE(status.ok()) << status;
    FixupSourceAndSinkEdges(graph_.get());
  }
  void Colocate(const std::string& name, const std::vector<std::string>& groups) {
    tf::AttrValue value;
    for (const std::string& group : groups) value.mutable_list()->add_s("loc:@" + group);
    graph_->FindNode(name)->SetAttr("_class", value);
  }

  // The error message; "" on success.
  std::string Place(const DeviceSet& devices) {
    const DeviceProfile profile = DeviceProfile::Default();
    const CostModel costs(devices, profile);
    absl::StatusOr<Placement> placement = converter::Place(*graph_, devices, costs, options_);
    if (!placement.ok())
      return {placement.status().message().data(), placement.status().message().size()};
    placement_ = *std::move(placement);
    names_.clear();
    for (const Device& device : devices.all()) names_.push_back(ToString(device.name));
    return "";
  }
  std::string Place() { return Place(FakeDevices()); }

  const Placement::Row& Row(const std::string& name) const {
    return placement_.rows[graph_->FindNode(name)->id()];
  }
  std::string DeviceOf(const std::string& name) const { return names_[Row(name).device]; }
  // "FakeCPU:1"
  std::string On(const std::string& name) const {
    const std::string device = DeviceOf(name);
    return device.substr(device.rfind("device:") + 7);
  }

  std::unique_ptr<Graph> graph_;
  PlacerOptions options_;
  Placement placement_;
  std::vector<std::string> names_;
};

}  // namespace linnet::converter
