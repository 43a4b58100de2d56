// SPDX-License-Identifier: Apache-2.0
// `linnet passes`: what the converter runs, as a table.
#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/pipeline.h"
#include "fmt/format.h"

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

}  // namespace

void AddPassesCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("passes", "List the passes in the order they run");
  command->callback([exit_code] {
    PrintPasses();
    *exit_code = kGood;
  });
}

}  // namespace linnet::cli
