// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/options.h"
#include "converter/cli/plan_file.h"
#include "converter/convert.h"
#include "converter/import/import.h"
#include "converter/import/mapped_file.h"
#include "converter/pass/passes.h"
#include "converter/report/describe.h"
#include "converter/report/drawing.h"
#include "converter/report/html.h"
#include "converter/report/json.h"
#include "converter/report/model_report.h"
#include "converter/report/text.h"
#include "converter/resources/resources.h"
#include "fmt/format.h"
#include "runtime/tools/file_writer.h"

namespace linnet::cli {
namespace {

using converter::ConversionReport;

constexpr char kInspectFooter[] = R"(
Examples:
  linnet inspect model.pb                          signatures, whether and why not they convert, op counts, nodes
  linnet inspect exported/                         the same of a SavedModel, and the tags of its graphs
  linnet inspect exported/ --tag train             signatures of another of its graphs
  linnet inspect model.linnet                      steps, memory, weights
  linnet inspect model.linnet --format html -o model.html
  linnet inspect model.linnet --verify-hash        also reads the weights and compares the file's hash)";

struct InspectArguments {
  std::string file, format = "text", output, checkpoint;
  std::vector<std::string> tags;
  bool verify_hash = false;
};

int Write(const std::string& text, const std::string& output) {
  if (output.empty()) return std::fputs(text.c_str(), stdout) < 0 ? kFailed : kGood;
  const std::string problem = tools::WriteFile(output, {text});
  return problem.empty() ? kGood : Fail(kFailed, problem);
}

std::string InFormat(const std::string& format, const ConversionReport& report) {
  if (format == "json") return converter::ReportJson(report);
  if (format == "html") return converter::ReportHtml(report);
  if (format == "dot") return converter::ProgramsDot(report);
  return converter::ReportText(report) + "\n" + converter::StepsText(report);
}

int InspectPlan(const InspectArguments& arguments, std::span<const std::byte> file) {
  ConversionReport report;
  report.model = arguments.file;
  report.format = "plan";
  if (const absl::Status status = DescribePlanFile(file, &report); !status.ok())
    return Fail(arguments.file, status, "");
  if (arguments.verify_hash) {
    if (const absl::Status status = VerifyHash(file); !status.ok())
      return Fail(arguments.file, status, "");
    report.notes.push_back("the file's hash is right");
  }
  report.succeeded = true;
  return Write(InFormat(arguments.format, report), arguments.output);
}

// The graph as the names of --input and --output know it: what functions do stands in the place of
// their calls.
void OpenFunctions(converter::ImportedModel* model) {
  converter::PassContext context;
  for (const converter::SignatureInfo& signature : model->signatures)
    for (const converter::TensorRef& output : signature.outputs)
      context.fetches.push_back(output.tensor);
  const absl::StatusOr<int> inlined = converter::InlineFunctions(*model->graph, context);
  if (!inlined.ok())
    model->notes.push_back(
        fmt::format("calls of functions stay calls: {}", std::string(inlined.status().message())));
  else if (*inlined > 0)
    model->notes.push_back(
        fmt::format("{} shown as what the function does: the nodes of a call f are f/..., and "
                    "--input and --output take these names",
                    *inlined == 1 ? "1 call of a function is"
                                  : fmt::format("{} calls of functions are", *inlined)));
}

// Converts each signature and writes nothing.
std::vector<std::vector<converter::Problem>> TryToConvert(const InspectArguments& arguments,
                                                          const converter::ImportedModel& model) {
  std::vector<std::vector<converter::Problem>> problems;
  converter::ConvertOptions options;
  options.model = arguments.file;
  options.tags = model.tags;
  options.checkpoint = arguments.checkpoint;
  for (const converter::SignatureInfo& signature : model.signatures) {
    if (model.has_signatures) options.signatures = {signature.key};
    ConversionReport report;
    const absl::Status status = converter::Convert(options, &report);
    problems.push_back(status.ok() ? std::vector<converter::Problem>()
                                   : converter::ProblemsOf(status));
  }
  return problems;
}

std::string InFormat(const InspectArguments& arguments, const converter::ImportedModel& model) {
  if (arguments.format == "dot") return converter::DrawingDot(converter::DrawGraph(*model.graph));
  const converter::ModelDescription description{arguments.file, model,
                                                TryToConvert(arguments, model)};
  if (arguments.format == "json") return converter::ModelJson(description);
  if (arguments.format == "html") return converter::ModelHtml(description);
  return converter::ModelText(description);
}

int InspectModel(const InspectArguments& arguments) {
  if (arguments.verify_hash)
    return Fail(kUsage, fmt::format("--verify-hash: {} is a model, and only plans have a hash",
                                    arguments.file));
  converter::ImportOptions options;
  options.any_tags = arguments.tags.empty();
  if (!arguments.tags.empty()) options.tags = arguments.tags;
  options.checkpoint = arguments.checkpoint;
  absl::StatusOr<converter::ImportedModel> model = converter::ImportModel(arguments.file, options);
  if (!model.ok()) return Fail(arguments.file, model.status(), "no graph");
  if (const auto resources = converter::LoadResources(&*model); !resources.ok())
    return Fail(arguments.file, resources.status(), "no graph");
  OpenFunctions(&*model);
  return Write(InFormat(arguments, *model), arguments.output);
}

int RunInspect(const InspectArguments& arguments) {
  const auto file = converter::MapFile(arguments.file);
  if (file.ok() && IsPlanFile(file->bytes)) return InspectPlan(arguments, file->bytes);
  return InspectModel(arguments);  // reports the problem when there is no file
}

}  // namespace

void AddInspectCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("inspect", "Show what is in a plan or a model");
  command->footer(kInspectFooter);
  const auto arguments = std::make_shared<InspectArguments>();
  command->add_option("FILE", arguments->file, "a plan, a model, or a SavedModel's folder")
      ->required();
  command
      ->add_option("--format", arguments->format, "text, json, dot (Graphviz) or html (one page)")
      ->check(CLI::IsMember({"text", "json", "dot", "html"}))
      ->capture_default_str();
  command->add_option("-o", arguments->output, "write there instead of printing")
      ->type_name("FILE");
  AddRepeated(command, "--tag", "TAG",
              "which graph of a SavedModel: the one with exactly these tags (default serve, else "
              "the first)",
              &arguments->tags);
  AddCheckpoint(command, &arguments->checkpoint);
  command->add_flag("--verify-hash", arguments->verify_hash,
                    "check all bytes of a plan against its hash");
  command->callback([arguments, exit_code] { *exit_code = RunInspect(*arguments); });
}

}  // namespace linnet::cli
