// SPDX-License-Identifier: Apache-2.0
// Small TensorFlow graphs through import and passes, compared with TensorFlow's numbers. There is
// one test per row of tf/<family>.json and extent of the pipeline, named <family>.<case>/<extent>;
// the scripts in tests/golden/conformance_tf write the cases. The resulting Linnet ops are
// evaluated one by one (evaluate_graph.h), and the plan made of them must open.
#include <gtest/gtest.h>

#include <filesystem>
#include <list>
#include <map>
#include <nlohmann/json.hpp>

#include "converter/graph/session_state.h"
#include "converter/graph/text/text.h"
#include "converter/import/import.h"
#include "converter/pipeline.h"
#include "converter/plan/plan_writer.h"
#include "converter/resources/resources.h"
#include "tests/conformance/evaluate_graph.h"
#include "tests/conformance/op_case.h"
#include "tests/conformance/register_failure.h"
#include "tests/scratch_folder.h"

namespace linnet::conformance {
namespace {

using converter::Constant;
using converter::Graph;
using converter::Node;
using nlohmann::json;

struct TfCase {
  std::string name;
  std::string graph;  // GraphDef as text
  std::map<std::string, CaseTensor> inputs, outputs, variables;
  std::map<std::string, std::vector<int64_t>>
      largest;  // inputs whose extents vary: their largest extents
  double tolerance = 0;
  std::map<std::string, std::string> files;  // files beside the model
  int64_t runs = 0;  // runs of one session, whose outputs are stacked; 0: a single run, not stacked
};

struct TfFile {
  std::string family;
  std::vector<TfCase> cases;
  std::string error;
};

TfFile LoadFile(const std::filesystem::path& path) {
  TfFile file;
  file.family = path.stem().string();
  try {
    const json all = json::parse(ReadFile(path.string()));
    for (const json& row : all.at("cases")) {
      TfCase test{row.at("name"),
                  row.at("graph"),
                  {},
                  {},
                  {},
                  row.value("largest", std::map<std::string, std::vector<int64_t>>()),
                  row.value("tolerance", 0.0),
                  row.value("files", std::map<std::string, std::string>()),
                  row.value("runs", int64_t{0})};
      for (const auto& [name, tensor] : row.at("inputs").items())
        test.inputs[name] = ParseCaseTensor(tensor, &file.error);
      for (const auto& [name, tensor] : row.at("outputs").items())
        test.outputs[name] = ParseCaseTensor(tensor, &file.error);
      const json variables = row.value("variables", json::object());
      for (const auto& [name, tensor] : variables.items())
        test.variables[name] = ParseCaseTensor(tensor, &file.error);
      file.cases.push_back(std::move(test));
    }
  } catch (const json::exception& e) {
    file.error = e.what();
  }
  return file;
}

std::string Text(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

Constant ToConstant(const CaseTensor& tensor) {
  void* data = nullptr;
  Constant constant = Constant::Allocate(tensor.type, &data);
  if (!tensor.bytes.empty()) std::memcpy(data, tensor.bytes.data(), tensor.bytes.size());
  return constant;
}

CaseTensor Zeros(const TensorType& type) {
  CaseTensor zeros;
  zeros.type = type;
  zeros.bytes.resize(static_cast<size_t>(type.bytes()));
  return zeros;
}

// The part of a stacked output that belongs to one run.
CaseTensor OfRun(const CaseTensor& stacked, int64_t run) {
  CaseTensor one = stacked;
  const Shape& shape = stacked.type.shape;
  one.type.shape = Shape();
  for (int i = 1; i < shape.rank(); ++i) one.type.shape.Append(shape[i]);
  const auto bytes = static_cast<size_t>(one.type.bytes());
  const auto first = stacked.bytes.begin() + static_cast<std::ptrdiff_t>(bytes) * run;
  one.bytes.assign(first, first + static_cast<std::ptrdiff_t>(bytes));
  return one;
}

// The variables' values, as a checkpoint would hold them.
class CaseVariables : public converter::Variables {
 public:
  explicit CaseVariables(const TfCase& test) : test_(test) {}
  absl::StatusOr<Constant> Read(const std::string& name) const override {
    const auto found = test_.variables.find(name);
    if (found == test_.variables.end()) return absl::NotFoundError("the case has no value for it");
    return ToConstant(found->second);
  }

 private:
  const TfCase& test_;
};

// Which passes run before the ops are evaluated.
enum class Extent { kLegalize, kPipeline };

absl::Status RunPasses(const TfCase& test, Extent extent, converter::ImportedModel* model) {
  const absl::StatusOr<converter::Resources> resources = converter::LoadResources(model);
  if (!resources.ok()) return resources.status();
  Graph& graph = *model->graph;
  converter::PassContext context;
  const CaseVariables variables(test);
  context.variables = &variables;
  context.tables = resources->tables.get();
  for (const auto& [name, tensor] : test.inputs) {
    converter::Feed feed{name, std::nullopt};
    // The graphs have no version; in graphs without version a scalar shape means an unknown shape.
    if (tensor.type.shape.rank() == 0) feed.shape.emplace();
    if (const auto it = test.largest.find(name); it != test.largest.end()) {
      feed.shape = it->second;
      for (int i = 0; i < tensor.type.shape.rank(); ++i)
        feed.smallest.push_back(tensor.type.shape[i] == it->second[i]
                                    ? it->second[i]
                                    : std::min<int64_t>(tensor.type.shape[i], 1));
    }
    context.feeds.push_back(std::move(feed));
  }
  for (const auto& [name, tensor] : test.outputs) context.fetches.push_back(name);
  if (extent == Extent::kPipeline) return RunPipeline(graph, context);
  return RunStages(converter::Pipeline().first(1), graph, context);
}

using States = std::map<std::string, Constant>;  // by name; states that are missing are zeros

class TfCaseTest : public testing::Test {
 public:
  TfCaseTest(const TfCase& test, Extent extent) : test_(test), extent_(extent) {}

  void TestBody() override {
    converter::ImportOptions options;
    options.files = [this](const std::string& name) -> absl::StatusOr<converter::OwnedBytes> {
      const auto file = test_.files.find(name);
      if (file == test_.files.end()) return absl::NotFoundError(name);
      return converter::OwnedBytes{std::as_bytes(std::span(file->second)), nullptr};
    };
    auto model = converter::ImportPbtxt(test_.graph, options);
    ASSERT_TRUE(model.ok()) << Text(model.status());
    Graph& graph = *model->graph;
    const absl::Status passes = RunPasses(test_, extent_, &*model);
    ASSERT_TRUE(passes.ok()) << Text(passes) << "\n" << PrintGraph(graph);
    States states;
    for (const auto& [name, value] : test_.variables) states.emplace(name, ToConstant(value));
    for (int64_t run = 0; run < std::max<int64_t>(test_.runs, 1); ++run) {
      SCOPED_TRACE(run);
      Compare(graph, run, &states);
    }
    if (extent_ == Extent::kPipeline) ExpectPlanThatOpens(graph);
    if (HasFailure()) GTEST_LOG_(INFO) << PrintGraph(graph);
  }

 private:
  static void ExpectPlanThatOpens(const Graph& graph) {
    std::vector<converter::PortName> inputs, outputs;
    States states;
    for (const Node* node : graph.op_nodes()) {
      const bool is_arg = node->node_class() == converter::NodeClass::kArg;
      if (is_arg && converter::IsState(*node))
        states.emplace(converter::StateName(*node), ToConstant(Zeros(node->type())));
      else if (is_arg)
        inputs.push_back({"", ""});
      else if (node->node_class() == converter::NodeClass::kRetval && !converter::IsState(*node))
        outputs.push_back({"", ""});
    }
    const auto program = converter::BuildProgram(graph, "", inputs, outputs, states);
    ASSERT_TRUE(program.ok()) << Text(program.status());
    const ScratchFolder folder;
    const auto written =
        converter::WritePlan(converter::BuildPlan({&*program, 1}), folder / "plan");
    EXPECT_TRUE(written.ok()) << Text(written.status());
  }

  void Compare(const Graph& graph, int64_t run, States* states) {
    const auto evaluated = EvaluateGraph(graph, [&](const Node& arg) {
      if (!converter::IsState(arg)) return ToConstant(test_.inputs.at(arg.sources().at(0)));
      const auto state = states->find(converter::StateName(arg));
      return state == states->end() ? ToConstant(Zeros(arg.type())) : state->second;
    });
    ASSERT_TRUE(evaluated.ok()) << Text(evaluated.status()) << "\n" << PrintGraph(graph);
    std::map<std::string, Constant> results;  // by the name of the tensor that they represent
    for (const auto& [ret, value] : *evaluated) {
      if (converter::IsState(*ret))
        (*states)[converter::StateName(*ret)] = value;
      else
        results.emplace(ret->sources().at(0), value);
    }
    for (const auto& [name, output] : test_.outputs) {
      ASSERT_TRUE(results.contains(name)) << name;
      const Constant& got = results.at(name);
      const CaseTensor expected = test_.runs == 0 ? output : OfRun(output, run);
      EXPECT_EQ(TypeText(got.type), TypeText(expected.type)) << name;
      if (got.type != expected.type) continue;
      EXPECT_EQ(Difference(expected, reinterpret_cast<const uint8_t*>(got.bytes.data()),
                           MarginOf(expected.type.dtype, test_.tolerance)),
                "")
          << name;
    }
  }

  const TfCase& test_;
  const Extent extent_;
};

// `file` owns the cases; the tests refer to them.
void RegisterFile(const TfFile& file) {
  if (!file.error.empty() || file.cases.empty()) RegisterFailure(file.family, file.error);
  for (const TfCase& test : file.cases) {
    for (const Extent extent : {Extent::kLegalize, Extent::kPipeline}) {
      const char* suffix = extent == Extent::kLegalize ? "/legalize" : "/pipeline";
      testing::RegisterTest(
          file.family.c_str(), (test.name + suffix).c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [&test, extent]() -> testing::Test* { return new TfCaseTest(test, extent); });
    }
  }
}

}  // namespace
}  // namespace linnet::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(LINNET_TF_CASES_DIR))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::list<linnet::conformance::TfFile> files;
  for (const auto& path : paths) {
    files.push_back(linnet::conformance::LoadFile(path));
    linnet::conformance::RegisterFile(files.back());
  }
  return RUN_ALL_TESTS();
}
