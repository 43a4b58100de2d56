// SPDX-License-Identifier: Apache-2.0
// `linnet passes` and `linnet ops`: what this build can do, as tables.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/legalize/tf_op_table.h"
#include "converter/pipeline.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "nlohmann/json.hpp"

namespace linnet::cli {
namespace {

const char* VocabularyName(converter::Vocabulary vocabulary) {
  return vocabulary == converter::Vocabulary::kTensorFlow ? "tensorflow" : "linnet";
}

void PrintPasses() {
  for (const converter::Stage& stage : converter::Pipeline()) {
    fmt::print("{}{}\n", stage.name,
               stage.max_rounds > 1
                   ? fmt::format(" (up to {} rounds, while anything changes)", stage.max_rounds)
                   : "");
    for (const converter::Pass& pass : stage.passes)
      fmt::print("  {:<32} {:<11} {}\n", pass.name, VocabularyName(stage.vocabulary), pass.summary);
  }
}

// Linnet ops and the names of their files: an op that XNNPACK may run has one of that name there.
constexpr std::pair<std::string_view, std::string_view> kLinnetOps[] = {
#define LINNET_OP(name, file) {#name, #file},
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};
constexpr std::string_view kXnnpackFiles = LINNET_XNNPACK_OPS;  // ",conv2d,...,"

// Does `text` have `name` as a whole word?
bool HasWord(std::string_view text, std::string_view name) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

// The backends that can have a part in a TensorFlow op, from the Linnet ops that its row names.
std::string_view BackendsOf(const converter::TfOp& op) {
  for (const auto& [name, file] : kLinnetOps) {
    if (HasWord(op.becomes, name) &&
        kXnnpackFiles.find(fmt::format(",{},", file)) != std::string_view::npos)
      return "portable, xnnpack";
  }
  return "portable";
}

// The element types that TensorFlow's definition allows for the op and that a plan can have.
// Half and double compute in float.
std::vector<std::string> DTypesOf(const converter::TfOp& op) {
  std::vector<std::string> names;
  const tf::OpDef* def = converter::OpRegistry::Global()->LookUp(op.name);
  if (def == nullptr) return names;
  for (const auto& attr : def->attr()) {
    if (attr.type() != "type") continue;
    for (int i = 0; i < attr.allowed_values().list().type_size(); ++i) {
      const DType dtype = converter::ToDType(attr.allowed_values().list().type(i));
      if (dtype != DType::kInvalid) names.emplace_back(DTypeName(dtype));
    }
    if (names.empty()) names.emplace_back("any");
    break;
  }
  if (names.empty()) names.emplace_back("fixed");
  return names;
}

void PrintSupported(const converter::TfOp& op) {
  fmt::print("  {:<36} {:<18} {:<44} {}\n", op.name, BackendsOf(op),
             fmt::format("{}", fmt::join(DTypesOf(op), " ")), op.becomes);
}

void PrintOps() {
  fmt::print(
      "TensorFlow ops that convert: backends, dtypes (f16 and f64 compute in f32), what they "
      "become\n");
  for (const converter::TfOp& op : converter::TfOpTable()) PrintSupported(op);
  fmt::print("\nOps that take complex numbers, too, between a Fourier transform and its results\n");
  for (const converter::TfOp& op : converter::ComplexForms())
    fmt::print("  {:<36} {}\n", op.name, op.becomes);
  fmt::print("\nTensorFlow ops that are refused, and why (* stands for anything)\n");
  for (const converter::RejectedTfOp& op : converter::RejectedTfOps())
    fmt::print("  {:<36} {}\n", op.name, op.reason);
}

void PrintOpsJson() {
  using Json = nlohmann::ordered_json;
  Json supported = Json::array(), complex = Json::array(), rejected = Json::array();
  for (const converter::TfOp& op : converter::TfOpTable())
    supported.push_back({{"op", op.name},
                         {"becomes", op.becomes},
                         {"dtypes", DTypesOf(op)},
                         {"backends", BackendsOf(op)}});
  for (const converter::TfOp& op : converter::ComplexForms())
    complex.push_back({{"op", op.name}, {"becomes", op.becomes}});
  for (const converter::RejectedTfOp& op : converter::RejectedTfOps())
    rejected.push_back({{"op", op.name}, {"reason", op.reason}});
  const Json root{{"supported", std::move(supported)},
                  {"complex", std::move(complex)},
                  {"rejected", std::move(rejected)}};
  fmt::print("{}\n", root.dump(1));
}

}  // namespace

void AddPassesCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("passes", "List the passes in the order they run");
  command->callback([exit_code] {
    PrintPasses();
    *exit_code = kGood;
  });
}

void AddOpsCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("ops", "List the TensorFlow ops that convert, and those that do not");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json,
                    "one JSON object: supported [{op, becomes, dtypes, backends}], complex [{op, "
                    "becomes}], rejected [{op, reason}]");
  command->callback([json, exit_code] {
    *json ? PrintOpsJson() : PrintOps();
    *exit_code = kGood;
  });
}

}  // namespace linnet::cli
