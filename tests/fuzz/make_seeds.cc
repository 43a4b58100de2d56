// SPDX-License-Identifier: Apache-2.0
// Writes seeds for the fuzz targets, made from the conformance cases and the small SavedModels, so
// that fuzzing reaches every op and every importer at once: DIR/fuzz_plan/*.linnet,
// DIR/vulkan_plans/*.linnet, DIR/fuzz_pbtxt/*.pbtxt, DIR/fuzz_graphdef/*.pb, DIR/fuzz_bundle/*,
// DIR/fuzz_saved_model/*.pb. Usage: make_seeds DIR
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/graph_def.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/import/import.h"
#include "converter/place/place_graph.h"
#include "converter/plan/plan_writer.h"
#include "converter/plan/program.h"
#include "tests/conformance/op_case.h"

namespace linnet::conformance {
namespace {

namespace fs = std::filesystem;
using converter::Graph;

// Seeds per op or family of ops, evenly spread over its cases.
constexpr size_t kSeeds = 6;
// Fuzzing works best with small files.
constexpr int64_t kMaxSeedBytes = 4096;
constexpr uintmax_t kMaxSavedModelBytes = 16 << 10;  // even the smallest model is large

std::vector<size_t> Spread(size_t count) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < std::min(count, kSeeds); ++i)
    indices.push_back(i * count / std::min(count, kSeeds));
  return indices;
}

converter::Constant ToConstant(const CaseTensor& tensor) {
  void* data = nullptr;
  converter::Constant constant = converter::Constant::Allocate(tensor.type, &data);
  if (!tensor.bytes.empty()) std::memcpy(data, tensor.bytes.data(), tensor.bytes.size());
  return constant;
}

// Adds the one op to a graph; false when the op refuses the case.
bool BuildGraph(const OpCase& test, Graph& graph, std::vector<converter::PortName>* inputs,
                std::vector<converter::PortName>* outputs) {
  converter::OpAttrs attrs = converter::OpAttrs::Room(test.kind);
  if (!FindOp(test.kind)->decode(test.attrs, attrs.data()).ok()) return false;
  std::vector<converter::Output> values;
  for (const CaseTensor& tensor : test.inputs) {
    const std::string name = "input" + std::to_string(values.size());
    if (tensor.constant) {
      values.push_back({graph.AddConstant(name, ToConstant(tensor)), 0});
      continue;
    }
    values.push_back({graph.AddArg(name, static_cast<int>(inputs->size()), tensor.type), 0});
    inputs->push_back({name, name + ":0"});
  }
  const auto node = graph.AddOp("op", attrs, values);
  if (!node.ok()) return false;
  for (int i = 0; i < (*node)->num_outputs(); ++i) {
    graph.AddRetval("result" + std::to_string(i), i, {*node, i});
    outputs->push_back({"result" + std::to_string(i), "op:" + std::to_string(i)});
  }
  return true;
}

bool WritePlanSeed(const OpCase& test, const fs::path& path) {
  Graph graph(converter::OpRegistry::Global());
  std::vector<converter::PortName> inputs, outputs;
  if (!BuildGraph(test, graph, &inputs, &outputs)) return false;
  const auto program = converter::BuildProgram(graph, "serving_default", inputs, outputs);
  return program.ok() &&
         converter::WritePlan(converter::BuildPlan({&*program, 1}), path.string()).ok();
}

// A loop and a branch, which no case of an op has.
bool WriteRegionsSeed(const fs::path& folder) {
  const auto graph = converter::ParseGraph(R"(
    n = arg i32[]
    x = arg f32[2]
    loop = While(n, x, x) [
      n = arg i32[]
      more = Compare(n, const i32[] 9) {kind: Greater}
      goes_on = ret(more)
    ] [
      n = arg i32[]
      x = arg f32[2]
      step = arg f32[2]
      less = Binary(n, const i32[] 3) {kind: Sub}
      odd = Compare(less, const i32[] 5) {kind: Less}
      choice = If(odd, x, step) [
        x = arg f32[2]
        step = arg f32[2]
        sum = Binary(x, step) {kind: Add}
        r = ret(sum)
      ] [
        x = arg f32[2]
        less = Unary(x) {kind: Neg}
        r = ret(less)
      ]
      ret0 = ret(less)
      ret1 = ret(choice)
    ]
    out = ret(loop:1))");
  if (!graph.ok()) return false;
  const converter::PortName inputs[] = {{"n", "n:0"}, {"x", "x:0"}}, outputs[] = {{"out", "out:0"}};
  const auto program = converter::BuildProgram(**graph, "serving_default", inputs, outputs);
  return program.ok() && converter::WritePlan(converter::BuildPlan({&*program, 1}),
                                              (folder / "regions.linnet").string())
                             .ok();
}

// Steps on a device with padded rows, between others on the host; and the same as one of two
// programs. `half`: the device keeps floats in 16 bits.
bool WritePlacedSeeds(const fs::path& folder, bool half) {
  const auto graph = converter::ParseGraph(R"(
    x = arg f32[20,3]
    top = Slice(x) {begin: [0, 0], size: [16, 3], stride: [1, 1]}
    a = Unary(top) {kind: Exp}
    b = Unary(x) {kind: Neg}
    c = Concat(a, b) {axis: 0}
    flat = Reshape(c) {shape: [6, 6, 3]}
    sum = Binary(flat, const f32[3] {1, 2, 3}) {kind: Add}
    soft = Softmax(sum)
    out = ret(soft))");
  if (!graph.ok()) return false;
  converter::Device host, gpu;
  host.key = "cpu";
  host.is_host = true;
  gpu.key = "gpu";
  gpu.layout = half ? Layout::kRows4Half : Layout::kRows4;
  const converter::DeviceSet devices({host, gpu});
  const int on_host = devices.FindKey("cpu"), on_gpu = devices.FindKey("gpu");
  const auto node = [&](const char* name) { return (*graph)->FindNode(name); };
  const converter::Partition partition{
      {{on_host, {node("top")}},
       {on_gpu, {node("a"), node("b"), node("c"), node("flat"), node("sum")}},
       {on_host, {node("soft")}}},
      {{node("x"), 0, on_host, on_gpu, 240, 1},
       {node("top"), 0, on_host, on_gpu, 192, 1},
       {node("sum"), 0, on_gpu, on_host, 432, 2}}};
  const converter::PortName inputs[] = {{"x", "x:0"}}, outputs[] = {{"out", "out:0"}};
  std::vector<converter::Program> programs;
  for (const converter::Partition& part : {converter::Partition(), partition}) {
    auto program =
        converter::BuildProgram(**graph, "serving_default", inputs, outputs, {}, part, devices);
    if (!program.ok()) return false;
    programs.push_back(*std::move(program));
  }
  const auto write = [&](std::span<const converter::Program> of, const char* name) {
    return converter::WritePlan(converter::BuildPlan(of), (folder / name).string()).ok();
  };
  if (half) return write({&programs[1], 1}, "half.linnet");
  if (!write({&programs[1], 1}, "layouts.linnet")) return false;
  programs[1].variant = kVulkanVariant;
  return write(programs, "variants.linnet");
}

// The plan for the CPU and for GPUs. True too when no step of it can run on a GPU; then there is no
// file.
bool WriteVulkanPlan(Graph& graph, std::span<const converter::PortName> inputs,
                     std::span<const converter::PortName> outputs, const fs::path& path) {
  converter::FixupSourceAndSinkEdges(&graph);
  const converter::DeviceSet devices = converter::DevicesOfThisBuild();
  std::vector<std::string> notes;
  const auto placed = converter::PlaceGraph({.place = "vulkan"}, devices, &graph, &notes);
  if (!placed.ok()) return false;
  if (placed->partition.copies.empty()) return true;
  std::vector<converter::Program> programs;
  for (const converter::Partition& part : {converter::Partition(), placed->partition}) {
    auto program =
        converter::BuildProgram(graph, "serving_default", inputs, outputs, {}, part, devices);
    if (!program.ok()) return false;
    programs.push_back(*std::move(program));
  }
  programs[1].variant = kVulkanVariant;
  return converter::WritePlan(converter::BuildPlan(programs), path.string()).ok();
}

bool WriteVulkanSeed(const OpCase& test, const fs::path& path) {
  Graph graph(converter::OpRegistry::Global());
  std::vector<converter::PortName> inputs, outputs;
  return BuildGraph(test, graph, &inputs, &outputs) &&
         WriteVulkanPlan(graph, inputs, outputs, path);
}

// Steps that depend on each other: a part of a picture net, and one of a transformer.
bool WriteVulkanNets(const fs::path& folder) {
  constexpr std::pair<const char*, const char*> kNets[] = {{"residual.linnet", R"(
    x = arg f32[1,6,6,4]
    wide = Conv2D(x, const f32[12,1,1,4] seed=1, const f32[12] seed=2) {range: {min: 0, max: 6}}
    deep = DepthwiseConv2D(wide, const f32[3,3,12] seed=3, const f32[12] seed=4)
        {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1, range: {min: 0, max: 6}}
    thin = Conv2D(deep, const f32[4,1,1,12] seed=5, const f32[4] seed=6)
    sum = Binary(thin, x) {kind: Add}
    mean = Reduce(sum) {kind: Mean, axes: [1, 2]}
    soft = Softmax(mean)
    out = ret(soft))"},
                                                           {"attention.linnet", R"(
    x = arg f32[5,8]
    norm = LayerNorm(x, const f32[8] fill=1, const f32[8] fill=0) {epsilon: 0.001}
    q = FullyConnected(norm, const f32[8,8] seed=1, const f32[8] seed=2)
    k = FullyConnected(norm, const f32[8,8] seed=3, const f32[8] seed=4)
    qs = Reshape(q) {shape: [5, 2, 4]}
    ks = Reshape(k) {shape: [5, 2, 4]}
    qt = Transpose(qs) {perm: [1, 0, 2]}
    kt = Transpose(ks) {perm: [1, 0, 2]}
    scores = BatchMatMul(qt, kt) {transpose_b: true}
    soft = Softmax(scores)
    mixed = BatchMatMul(soft, kt)
    back = Transpose(mixed) {perm: [1, 0, 2]}
    flat = Reshape(back) {shape: [5, 8]}
    sum = Binary(flat, x) {kind: Add}
    last = RmsNorm(sum, const f32[8] seed=5) {epsilon: 0.001}
    out = ret(last))"}};
  const converter::PortName inputs[] = {{"x", "x:0"}}, outputs[] = {{"out", "out:0"}};
  for (const auto& [name, text] : kNets) {
    const auto graph = converter::ParseGraph(text);
    if (graph.ok() && WriteVulkanPlan(**graph, inputs, outputs, folder / name)) continue;
    std::fprintf(stderr, "%s is no plan\n", name);
    return false;
  }
  return true;
}

bool WritePlanSeeds(const std::string& file, OpKind kind, const fs::path& all) {
  std::string error;
  std::vector<OpCase> cases = LoadCases(LINNET_GOLDEN_DIR "/" + file + ".json", kind, &error);
  std::erase_if(cases, [](const OpCase& test) {
    int64_t bytes = 0;
    for (const CaseTensor& tensor : test.inputs) bytes += tensor.type.bytes();
    return test.error == StatusCode::kInvalidPlan || bytes > kMaxSeedBytes;
  });
  for (const size_t i : Spread(cases.size()))
    if (const std::string name = file + "." + cases[i].name + ".linnet";
        !WritePlanSeed(cases[i], all / "fuzz_plan" / name) ||
        !WriteVulkanSeed(cases[i], all / "vulkan_plans" / name)) {
      std::fprintf(stderr, "%s: no plan for case %s\n", file.c_str(), cases[i].name.c_str());
      return false;
    }
  if (!cases.empty()) return true;
  std::fprintf(stderr, "%s: no small case %s\n", file.c_str(), error.c_str());
  return false;
}

bool WriteModelSeeds(const fs::path& family, const fs::path& folder) {
  const auto file = nlohmann::json::parse(ReadFile(family.string()), nullptr, false);
  const auto cases = file.value("cases", nlohmann::json::array());
  for (const size_t i : Spread(cases.size())) {
    const std::string text = cases[i].value("graph", "");
    const std::string name = family.stem().string() + "." + cases[i].value("name", "");
    std::ofstream(folder / "fuzz_pbtxt" / (name + ".pbtxt")) << text;
    const auto model = converter::ImportPbtxt(text);
    std::ofstream binary(folder / "fuzz_graphdef" / (name + ".pb"), std::ios::binary);
    if (model.ok() && converter::ToGraphDef(*model->graph).SerializeToOstream(&binary)) continue;
    std::fprintf(stderr, "%s is no model\n", name.c_str());
    return false;
  }
  return !cases.empty();
}

// A SavedModel, and its checkpoint in the form that fuzz_bundle reads.
bool WriteSavedModelSeeds(const fs::path& model, const fs::path& folder) {
  const fs::path graph = model / "saved_model.pb";
  if (fs::file_size(graph) <= kMaxSavedModelBytes)
    fs::copy_file(graph, folder / "fuzz_saved_model" / (model.filename().string() + ".pb"),
                  fs::copy_options::overwrite_existing);
  if (!fs::exists(model / "variables")) return true;  // not every model has variables
  const std::string index = ReadFile((model / "variables/variables.index").string());
  const std::string data = ReadFile((model / "variables/variables.data-00000-of-00001").string());
  const auto length = static_cast<uint32_t>(index.size());
  std::ofstream file(folder / "fuzz_bundle" / model.filename(), std::ios::binary);
  file.write(reinterpret_cast<const char*>(&length), sizeof(length)) << index << data;
  return !index.empty() && !data.empty() && file.good();
}

bool WriteAll(const fs::path& folder) {
  for (const char* target : {"fuzz_plan", "vulkan_plans", "fuzz_pbtxt", "fuzz_graphdef",
                             "fuzz_bundle", "fuzz_saved_model"})
    fs::create_directories(folder / target);
  bool good = WriteRegionsSeed(folder / "fuzz_plan");
  for (const bool half : {false, true}) good = WritePlacedSeeds(folder / "fuzz_plan", half) && good;
  for (const OpFile& row : kOpFiles) good = WritePlanSeeds(row.file, row.kind, folder) && good;
  good = WriteVulkanNets(folder / "vulkan_plans") && good;
  for (const auto& entry : fs::directory_iterator(LINNET_TF_CASES_DIR))
    good = WriteModelSeeds(entry.path(), folder) && good;
  for (const auto& entry : fs::directory_iterator(LINNET_SAVED_MODELS_DIR))
    if (entry.is_directory()) good = WriteSavedModelSeeds(entry.path(), folder) && good;
  return good;
}

}  // namespace
}  // namespace linnet::conformance

int main(int argc, char** argv) {
  if (argc == 2) return linnet::conformance::WriteAll(argv[1]) ? 0 : 2;
  std::fputs("usage: make_seeds DIR\n", stderr);
  return 1;
}
