// SPDX-License-Identifier: Apache-2.0
// Every op on every backend, compared with TensorFlow's numbers. There is one test per runner and
// row of golden/<op>.json, named <Op>.<case>/<runner>. The scripts in tests/golden/conformance
// write the cases.
#include <gtest/gtest.h>

#include <cstdio>
#include <list>

#include "runtime/core/instruction_set.h"
#include "runtime/ops/op_codec.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/loaded_case.h"
#include "tests/conformance/op_traits.h"
#include "tests/conformance/register_failure.h"
#include "tests/driver_leaks.h"

namespace linnet::conformance {
namespace {

void ExpectTypes(const OpCase& test, const OpInstance& op) {
  ASSERT_EQ(op.outputs.size(), test.outputs.size());
  for (size_t i = 0; i < op.outputs.size(); ++i)
    EXPECT_EQ(TypeText(op.outputs[i]), TypeText(test.outputs[i].type)) << "output " << i;
}

void ExpectRoundTrip(const OpInstance& op) {
  const std::vector<uint8_t> encoded = EncodeAttrs(op.kind, op.attrs);
  AttrsBlock again;
  const Status status = FindOp(op.kind)->decode(encoded, again.bytes);
  ASSERT_TRUE(status.ok()) << status.what();
  EXPECT_TRUE(AttrsEqual(op.kind, op.attrs, again.bytes));
}

void ExpectSaneCost(const OpInstance& op) {
  const Cost cost = FindOp(op.kind)->cost(op);
  EXPECT_GE(cost.macs, 0);
  EXPECT_GE(cost.flops, 2 * cost.macs);
}

class CaseTest : public testing::Test {
 public:
  CaseTest(const OpCase* test, const CaseRunner* runner) : case_(*test), runner_(*runner) {}

  void TestBody() override {
    LoadedCase loaded(case_);
    const Status status = loaded.Load();
    if (case_.error == StatusCode::kInvalidPlan) {
      EXPECT_EQ(static_cast<int>(status.code()), static_cast<int>(StatusCode::kInvalidPlan));
      return;
    }
    ASSERT_TRUE(status.ok()) << status.what() << "\n" << case_.why;
    if (case_.error == StatusCode::kOk) {
      ExpectTypes(case_, loaded.op());
      EXPECT_EQ(WhyTraitsAreWrong(case_), "");
    }
    ExpectRoundTrip(loaded.op());
    ExpectSaneCost(loaded.op());
    if (HasFailure()) return;
    if (const char* reason = runner_.WhyUnsupported(loaded.op())) {
      if (runner_.must_run_everything()) FAIL() << reason;
      GTEST_SKIP() << reason;
    }
    if (const char* reason = runner_.WhyExcepted(case_)) GTEST_SKIP() << reason;
    EXPECT_EQ(runner_.Run(case_, loaded.op()), "") << case_.why;
  }

 private:
  const OpCase& case_;
  const CaseRunner& runner_;
};

// `files` owns the cases; the tests refer to them.
void RegisterOp(const OpFile& row, const std::vector<const CaseRunner*>& runners,
                std::list<std::vector<OpCase>>* files) {
  std::string error;
  files->push_back(
      LoadCases(std::string(LINNET_GOLDEN_DIR "/") + row.file + ".json", row.kind, &error));
  const std::vector<OpCase>* cases = &files->back();
  if (cases->empty()) RegisterFailure(row.op, error);
  for (size_t i = 0; i < cases->size(); ++i) {
    const OpCase& test = (*cases)[i];
    for (const CaseRunner* runner : runners) {
      if (i % static_cast<size_t>(runner->stride()) != 0) continue;
      testing::RegisterTest(
          row.op, (test.name + "/" + runner->name()).c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [test = &test, runner]() -> testing::Test* { return new CaseTest(test, runner); });
    }
  }
}

// Reading all files takes time, so a process that ctest starts for one op reads only that op's
// file.
bool Wanted(const OpFile& row) {
  const std::string filter = testing::GTEST_FLAG(filter);
  const size_t dot = filter.find('.');
  return dot == std::string::npos || filter.find_first_of("*?") < dot ||
         filter.find_first_of(":-") != std::string::npos || filter.substr(0, dot) == row.op;
}

}  // namespace
}  // namespace linnet::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // An instruction set that this CPU lacks is no failure: ctest shows the test as "Skipped".
  const linnet::InstructionSetChoice& isa = linnet::ChosenInstructionSet();
  if (!isa.status.ok()) {
    std::printf("LINNET_ISA=%s: %s\n", isa.name, isa.status.what());
    return isa.status.code() == linnet::StatusCode::kUnsupported ? 77 : 1;
  }
  const auto runners = linnet::conformance::AllRunners();
  std::list<std::vector<linnet::conformance::OpCase>> files;
  for (const auto& row : linnet::conformance::kOpFiles)
    if (linnet::conformance::Wanted(row)) linnet::conformance::RegisterOp(row, runners, &files);
  const int result = RUN_ALL_TESTS();
#ifdef LINNET_HAS_VULKAN
  EndBesideDrivers(result);
#endif
  return result;
}
