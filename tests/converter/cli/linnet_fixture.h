// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tests/converter/cli/small_model.h"
#include "tests/program_fixture.h"

namespace linnet::converter {

// Tests of the program itself: its exit codes, and its messages on standard output and standard
// error. model_ is a file with SmallModel, plan_ the name of a file that does not exist.
class LinnetTest : public ProgramFixture {
 protected:
  LinnetTest() : ProgramFixture(LINNET_PROGRAM) {
    model_ = WriteAll(folder_ / "model.pbtxt", SmallModel());
    plan_ = folder_ / "model.linnet";
  }

  std::string model_, plan_;
};

}  // namespace linnet::converter
