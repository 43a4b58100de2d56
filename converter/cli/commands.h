// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/status.h"

namespace CLI {
class App;
}

// The subcommands of `linnet`, one file each. Add...Command declares flags and stores what the
// command returns in *exit_code once it has run.
namespace linnet::cli {

enum ExitCode : int { kGood = 0, kUsage = 1, kBadModel = 2, kFailed = 3 };

void AddConvertCommand(CLI::App& app, int* exit_code);
void AddInspectCommand(CLI::App& app, int* exit_code);
void AddRunCommand(CLI::App& app, int* exit_code);
void AddPassesCommand(CLI::App& app, int* exit_code);
void AddBisectCommand(CLI::App& app, int* exit_code);
void AddEmbedCommand(CLI::App& app, int* exit_code);
void AddOpsCommand(CLI::App& app, int* exit_code);

struct Failure {
  int exit_code = kFailed;
  std::string text;  // lines; the last is one sentence
};

// "linnet: <sentence>".
Failure FailureOf(int code, const std::string& sentence);
// The same for an error about `file`: when `status` has several problems, a line for each and then
// "linnet: FILE: 3 problems, <outcome>". The code is kFailed for a file that cannot be written and
// for bugs of ours, else kBadModel.
Failure FailureOf(const std::string& file, const absl::Status& status, const std::string& outcome);

// Print these to stderr and return the code.
int Fail(int code, const std::string& sentence);
int Fail(const std::string& file, const absl::Status& status, const std::string& outcome);

}  // namespace linnet::cli
