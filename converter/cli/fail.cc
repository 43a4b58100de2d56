// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "converter/cli/commands.h"
#include "converter/graph/problems.h"
#include "fmt/format.h"
#include "runtime/core/printable.h"

namespace linnet::cli {

int Fail(int code, const std::string& sentence) {
  std::fprintf(stderr, "linnet: %s\n", PrintableLines(sentence).c_str());
  return code;
}

int Fail(const std::string& file, const absl::Status& status, const std::string& outcome) {
  const std::vector<converter::Problem> problems = converter::ProblemsOf(status);
  if (problems.size() == 1) {
    const bool ours = absl::IsUnavailable(status) || absl::IsInternal(status);
    return Fail(ours ? kFailed : kBadModel, fmt::format("{}: {}", file, ToString(problems[0])));
  }
  for (const converter::Problem& problem : problems)
    std::fprintf(stderr, "%s\n", PrintableLines(ToString(problem)).c_str());
  return Fail(kBadModel, fmt::format("{}: {} problems, {}", file, problems.size(), outcome));
}

}  // namespace linnet::cli
