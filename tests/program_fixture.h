// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "tests/scratch_folder.h"

namespace linnet {

// Tests of a whole program: its exit codes and its messages.
class ProgramFixture : public testing::Test {
 protected:
  explicit ProgramFixture(std::string program) : program_(std::move(program)) {}

  // Returns the exit code, or -1 after a signal; out_ and err_ hold what was printed. A shell
  // parses `arguments`.
  int Run(const std::string& arguments) {
    std::string command = "'";
    command += program_;
    command += "' ";
    command += arguments;
    command += " >'";
    command += folder_ / "out";
    command += "' 2>'";
    command += folder_ / "err";
    command += "'";
    const int status = std::system(command.c_str());
    out_ = ReadAll(folder_ / "out");
    err_ = ReadAll(folder_ / "err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // The last line of standard error: the sentence that says what is wrong.
  std::string LastLine() const {
    const std::string text = err_.substr(0, err_.find_last_not_of('\n') + 1);
    return text.substr(text.rfind('\n') + 1);
  }

  const std::string program_;
  ScratchFolder folder_;
  std::string out_, err_;
};

}  // namespace linnet
