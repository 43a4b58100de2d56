// SPDX-License-Identifier: Apache-2.0
// That the runner of strips has cases to run: it skips those that cannot be cut.
#include <gtest/gtest.h>

#include <map>

#include "tests/conformance/case_runner.h"
#include "tests/conformance/loaded_case.h"

namespace linnet::conformance {
namespace {

int CountCut(const OpFile& row) {
  std::string error;
  int count = 0;
  for (const OpCase& test :
       LoadCases(std::string(LINNET_GOLDEN_DIR "/") + row.file + ".json", row.kind, &error)) {
    LoadedCase loaded(test);
    count += test.error == StatusCode::kOk && loaded.Load().ok() &&
             StripsRunner().WhyUnsupported(loaded.op()) == nullptr;
  }
  return count;
}

TEST(Strips, CutCasesOfTheseOps) {
  std::map<std::string, int> cut;
  int all = 0;
  for (const OpFile& row : kOpFiles)
    if (const int count = CountCut(row); count > 0) all += cut[row.op] = count;
  for (const char* op :
       {"Binary", "Cast", "Clamp", "Compare", "Conv2D", "DepthwiseConv2D", "FullyConnected",
        "L2Normalize", "LayerNorm", "Pool2D", "Prelu", "RmsNorm", "Select", "Softmax", "Unary"}) {
    EXPECT_GT(cut[op], 0) << op;
    RecordProperty(op, cut[op]);
  }
  EXPECT_GT(all, 300);
}

}  // namespace
}  // namespace linnet::conformance
