// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/input_flag.h"
#include "converter/cli/options.h"
#include "converter/convert.h"
#include "converter/pipeline.h"
#include "converter/report/html.h"
#include "converter/report/json.h"
#include "converter/report/text.h"
#include "fmt/format.h"
#include "runtime/core/printable.h"
#include "runtime/tools/file_writer.h"

namespace linnet::cli {
namespace {

using converter::ConversionReport;
using converter::ConvertOptions;

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
                                           that node on the CPU, all other steps where they run fastest)";

// The options, and arguments that have to be parsed before they become options.
struct ConvertArguments {
  ConvertOptions options;
  std::vector<std::string> inputs, most, place_nodes, reports;
  bool explain_placement = false;
};

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

// What is wrong with the command line, or nothing.
std::string FillOptions(const ConvertArguments& arguments, ConvertOptions* options) {
  for (const std::string& text : arguments.inputs) {
    absl::StatusOr<converter::Feed> feed = ParseInputFlag(text);
    if (!feed.ok()) return std::string(feed.status().message());
    options->inputs.push_back(*std::move(feed));
  }
  for (const std::string& text : arguments.most) {
    const absl::Status status = ParseMaxFlag(text, &options->most);
    if (!status.ok()) return std::string(status.message());
  }
  for (const std::string& text : arguments.place_nodes) {
    const size_t equals = text.rfind('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return fmt::format("--place-node {}: want NAME=DEVICE; devices are {}", text,
                         fmt::join(converter::KnownDevices(), ", "));
    options->place.nodes.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  const std::string& pass = options->dump_after;
  if (!pass.empty() && pass != "all" && converter::FindPass(pass) == nullptr)
    return fmt::format("--dump-after {}: there is no such pass; `linnet passes` lists them", pass);
  if (pass.empty() && !options->dump_dir.empty())
    return "--dump-dir needs --dump-after PASS or --dump-after all";
  for (const std::string& path : arguments.reports)
    if (!path.ends_with(".json") && !path.ends_with(".html"))
      return fmt::format("--report {}: the name must end in .json or .html", path);
  return "";
}

int WriteReports(const std::vector<std::string>& paths, const ConversionReport& report) {
  for (const std::string& path : paths) {
    const std::string text =
        path.ends_with(".json") ? converter::ReportJson(report) : converter::ReportHtml(report);
    if (const std::string problem = tools::WriteFile(path, {text}); !problem.empty())
      return Fail(kFailed, problem);
  }
  return kGood;
}

int RunConvert(const ConvertArguments& arguments) {
  ConvertOptions options = arguments.options;
  if (const std::string problem = FillOptions(arguments, &options); !problem.empty())
    return Fail(kUsage, problem);
  ConversionReport report;
  absl::Status status;
  {
    const Progress progress;
    options.progress = [&](std::string_view stage) { progress.Show(stage); };
    status = converter::Convert(options, &report);
  }
  const int written = WriteReports(arguments.reports, report);
  if (!status.ok()) return Fail(options.model, status, "no plan written");
  std::fputs(converter::ReportText(report).c_str(), stdout);
  if (arguments.explain_placement)
    std::printf("\n%s", PrintableLines(report.placement.explanation).c_str());
  return written;
}

}  // namespace

void AddConvertCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Turn a model into a plan");
  command->footer(kConvertFooter);
  const auto arguments = std::make_shared<ConvertArguments>();
  ConvertOptions& options = arguments->options;
  command
      ->add_option("MODEL", options.model,
                   "GraphDef .pb or .pbtxt, SavedModel folder, or tfjs model.json")
      ->required();
  command->add_option("-o", options.output, "the plan to write")->required()->type_name("PLAN");
  AddRepeated(
      command, "--input", "NAME[=DIMxDIM..]",
      "an input and its shape: 1x224x224x3; ? = as the model says; 1..128 = may vary from run "
      "to run; scalar. A NAME that is no placeholder becomes an input, and what computed it is "
      "left out",
      &arguments->inputs);
  AddRepeated(
      command, "--output", "NAME",
      "an output: the name of a node, or NODE:1 for its second output. Default: the outputs "
      "of the signature; in a model without signatures, those of all nodes that no other "
      "node reads",
      &options.outputs);
  AddRepeated(
      command, "--max", "NAME=N",
      "upper bound of a computed value that sizes a tensor; needed when an error message asks "
      "for it, because the model implies no bound",
      &arguments->most);
  AddRepeated(command, "--signature", "KEY",
              "which signature (default serving_default); several share the plan's weights",
              &options.signatures);
  AddRepeated(command, "--tag", "TAG",
              "which graph of a SavedModel: the one with exactly these tags (default serve)",
              &options.tags);
  AddChoice(
      command, "--algebra",
      "tf: rewrites may change the last bit of a result, as those of TensorFlow's optimiser do; "
      "strict: every bit stays",
      &options.algebra, {{"tf", converter::Algebra::kTf}, {"strict", converter::Algebra::kStrict}});
  AddChoice(command, "--weights",
            "weights as the model stores them, as f32, or rounded to f16 in the file",
            &options.weights,
            {{"keep", converter::WeightEncoding::kKeep},
             {"f32", converter::WeightEncoding::kF32},
             {"f16", converter::WeightEncoding::kF16}});
  command->add_flag("--keep-inputs", options.keep_inputs,
                    "a run leaves its inputs as they are, so that they need not be written again; "
                    "without this, steps may use their memory, which saves some");
  command
      ->add_option("--place", options.place.place,
                   "where steps run. auto: where the model asks, else where the run is fastest by "
                   "the device profile; vulkan: on a GPU what it can run. With steps on a GPU the "
                   "plan also has the CPU's program, which runs where no GPU can be used or the "
                   "runtime was built without Vulkan")
      ->check(CLI::IsMember({"cpu", "vulkan", "auto"}))
      ->capture_default_str();
  AddGpuPrecision(
      command,
      "how a GPU keeps floats and weights: in 32 bits, or rounded to 16 bits, which halves "
      "its memory and costs accuracy (about 3 decimal digits); sums have 32 bits",
      &options.place.gpu_precision);
  AddRepeated(command, "--place-node", "NAME=cpu|vulkan",
              "where the steps of one node run, whatever --place and the model say; an error where "
              "the device cannot run them",
              &arguments->place_nodes);
  command
      ->add_option("--device-profile", options.place.profile,
                   "how fast the target's devices are, as JSON (converter/place/README.md); "
                   "default: a mid-range phone")
      ->type_name("FILE");
  command->add_flag("--explain-placement", arguments->explain_placement,
                    "say for each step what runs it and why, what is copied between devices, and "
                    "how long that takes");
  AddRepeated(command, "--report", "FILE",
              "write what happened as .json or .html, also when the conversion fails",
              &arguments->reports);
  command
      ->add_option("--dump-after", options.dump_after,
                   "write the graph as text after this pass, or all")
      ->type_name("PASS");
  command->add_option("--dump-dir", options.dump_dir, "where --dump-after writes (default .)")
      ->type_name("DIR");
  command->callback([arguments, exit_code] { *exit_code = RunConvert(*arguments); });
}

}  // namespace linnet::cli
