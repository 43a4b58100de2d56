// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/convert_outcome.h"

#include "converter/cli/commands.h"
#include "converter/convert.h"
#include "converter/report/html.h"
#include "converter/report/json.h"
#include "converter/report/text.h"
#include "runtime/core/printable.h"
#include "runtime/tools/file_writer.h"

namespace linnet::cli {
namespace {

using converter::ConversionReport;

// What is wrong with a file that cannot be written, or "".
std::string WriteReports(const std::vector<std::string>& paths, const ConversionReport& report) {
  for (const std::string& path : paths) {
    const std::string text =
        path.ends_with(".json") ? converter::ReportJson(report) : converter::ReportHtml(report);
    if (std::string problem = tools::WriteFile(path, {text}); !problem.empty()) return problem;
  }
  return "";
}

std::string SuccessText(const ConvertArguments& arguments, const ConversionReport& report) {
  std::string text = converter::ReportText(report);
  if (arguments.explain_placement) text += "\n" + PrintableLines(report.placement.explanation);
  return text;
}

void AddFailure(const Failure& failure, ConvertOutcome* outcome) {
  outcome->exit_code = failure.exit_code;
  outcome->error += failure.text;
}

}  // namespace

ConvertOutcome ConvertAsAsked(const ConvertArguments& arguments,
                              const std::function<void(std::string_view stage)>& progress) {
  ConvertOutcome outcome;
  converter::ConvertOptions options = arguments.options;
  if (const std::string problem = FillOptions(arguments, &options); !problem.empty()) {
    AddFailure(FailureOf(kUsage, problem), &outcome);
    return outcome;
  }
  options.progress = progress;
  const absl::Status status = converter::Convert(options, &outcome.report);
  if (const std::string problem = WriteReports(arguments.reports, outcome.report); !problem.empty())
    AddFailure(FailureOf(kFailed, problem), &outcome);
  if (status.ok())
    outcome.out = SuccessText(arguments, outcome.report);
  else
    AddFailure(FailureOf(options.model, status, "no plan written"), &outcome);
  return outcome;
}

}  // namespace linnet::cli
