// SPDX-License-Identifier: Apache-2.0
// `linnet passes` and `linnet ops`: what this build can do, as tables.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/legalize/tf_op_table.h"
#include "converter/passes/pipeline.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace linnet::cli {
namespace {

const char* VocabularyName(converter::Vocabulary vocabulary) {
  switch (vocabulary) {
    case converter::Vocabulary::kTensorFlow:
      return "tensorflow";
    case converter::Vocabulary::kLinnet:
      return "linnet";
    case converter::Vocabulary::kBoth:
      break;
  }
  return "both";
}

void PrintPasses() {
  for (const converter::Stage& stage : converter::Pipeline()) {
    fmt::print("{}{}\n", stage.name,
               stage.max_rounds > 1
                   ? fmt::format(" (up to {} rounds, while anything changes)", stage.max_rounds)
                   : "");
    for (const converter::Pass& pass : stage.passes)
      fmt::print("  {:<32} {:<11} {}\n", pass.name, VocabularyName(pass.vocabulary), pass.summary);
  }
}

void PrintOps() {
  fmt::print("TensorFlow ops that convert, and what they become\n");
  for (const converter::TfOp& op : converter::TfOpTable())
    fmt::print("  {:<36} {}\n", op.name, op.becomes);
  fmt::print("\nTensorFlow ops that are refused, and why (* stands for anything)\n");
  for (const converter::RejectedTfOp& op : converter::RejectedTfOps())
    fmt::print("  {:<36} {}\n", op.name, op.reason);
}

void PrintOpsJson() {
  using Json = nlohmann::ordered_json;
  Json supported = Json::array(), rejected = Json::array();
  for (const converter::TfOp& op : converter::TfOpTable())
    supported.push_back({{"op", op.name}, {"becomes", op.becomes}});
  for (const converter::RejectedTfOp& op : converter::RejectedTfOps())
    rejected.push_back({{"op", op.name}, {"reason", op.reason}});
  const Json root{{"supported", std::move(supported)}, {"rejected", std::move(rejected)}};
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
                    "one JSON object: supported [{op, becomes}], rejected [{op, reason}]");
  command->callback([json, exit_code] {
    *json ? PrintOpsJson() : PrintOps();
    *exit_code = kGood;
  });
}

}  // namespace linnet::cli
