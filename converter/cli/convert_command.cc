// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/convert_flags.h"
#include "converter/cli/convert_outcome.h"
#include "fmt/format.h"

namespace linnet::cli {
namespace {

constexpr char kConvertFooter[] = R"(
Names are signature keys or node names; slot 0 with or without ":0", other slots as NAME:1.

Examples:
  linnet convert mobilenet.pb -o mobilenet.linnet
  linnet convert exported/ -o model.linnet         a SavedModel: the signature serving_default, variables read
  linnet convert exported/ -o embed.linnet --tag serve --signature embed
                                           another of its graphs and signatures; linnet inspect lists them
  linnet convert model.json -o face.linnet --input input=1x128x128x3    a batch size that the model leaves open
  linnet convert encoder/ -o encoder.linnet --input ids=1x1..128        texts of any length up to 128
  linnet convert model.pb -o head.linnet --input features=1x7x7x1280 --output scores
                                           only the part between two tensors
  linnet convert exported/ -o head.linnet --input StatefulPartitionedCall/model/pool/Mean=1x1280
                                           nodes in functions have the call's name before their own
  linnet convert model.pb -o small.linnet --weights f16 --report report.html
  linnet convert model.pb -o model.linnet --place-node head/softmax=cpu --explain-placement
                                           that node on the CPU, all other steps where they run fastest
  linnet convert model.pb -o model.linnet --for 0.1    for apps whose liblinnet is of release 0.1)";

// One line on a terminal that names the stage that runs; silent elsewhere.
class Progress {
 public:
  Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() { Clear(); }
  void Show(std::string_view stage) const {
    if (terminal_) fmt::print(stderr, "\r\033[Klinnet: {} ...", stage);
  }
  void Clear() const {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  const bool terminal_;
};

int RunConvert(const ConvertArguments& arguments) {
  ConvertOutcome outcome;
  {
    const Progress progress;
    outcome = ConvertAsAsked(arguments, [&](std::string_view stage) { progress.Show(stage); });
  }
  std::fputs(outcome.error.c_str(), stderr);
  std::fputs(outcome.out.c_str(), stdout);
  return outcome.exit_code;
}

}  // namespace

void AddConvertCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Turn a model into a plan");
  command->footer(kConvertFooter);
  const auto arguments = std::make_shared<ConvertArguments>();
  AddConvertFlags(command, arguments.get());
  command->callback([arguments, exit_code] { *exit_code = RunConvert(*arguments); });
}

}  // namespace linnet::cli
