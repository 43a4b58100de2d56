// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gtest/gtest.h"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

using PassesCommandTest = LinnetTest;

TEST_F(PassesCommandTest, ListsThem) {
  EXPECT_EQ(Run("passes"), 0);
  for (const char* part : {"prune", "legalize", "tensorflow", "fold_batch_norm", "rounds"})
    EXPECT_NE(out_.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace linnet::converter
