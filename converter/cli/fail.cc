// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "converter/cli/commands.h"
#include "converter/graph/problems.h"
#include "fmt/format.h"
#include "runtime/core/printable.h"

namespace linnet::cli {

Failure FailureOf(int code, const std::string& sentence) {
  return {code, fmt::format("linnet: {}\n", PrintableLines(sentence))};
}

Failure FailureOf(const std::string& file, const absl::Status& status, const std::string& outcome) {
  const std::vector<converter::Problem> problems = converter::ProblemsOf(status);
  if (problems.size() == 1) {
    const bool ours = absl::IsUnavailable(status) || absl::IsInternal(status);
    return FailureOf(ours ? kFailed : kBadModel,
                     fmt::format("{}: {}", file, ToString(problems[0])));
  }
  std::string lines;
  for (const converter::Problem& problem : problems)
    lines += PrintableLines(ToString(problem)) + "\n";
  const Failure last =
      FailureOf(kBadModel, fmt::format("{}: {} problems, {}", file, problems.size(), outcome));
  return {last.exit_code, lines + last.text};
}

int Fail(int code, const std::string& sentence) {
  std::fputs(FailureOf(code, sentence).text.c_str(), stderr);
  return code;
}

int Fail(const std::string& file, const absl::Status& status, const std::string& outcome) {
  const Failure failure = FailureOf(file, status, outcome);
  std::fputs(failure.text.c_str(), stderr);
  return failure.exit_code;
}

}  // namespace linnet::cli
