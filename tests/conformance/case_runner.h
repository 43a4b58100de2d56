// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// A way to execute one op: the portable kernels, or a backend.
class CaseRunner {
 public:
  virtual ~CaseRunner() = default;

  // Last part of the test's name.
  virtual const char* name() const = 0;
  // False where some cases may be beyond this runner: they are skipped with the reason.
  virtual bool must_run_everything() const { return false; }
  // nullptr when `op` can run here, else why not.
  virtual const char* WhyUnsupported(const OpInstance& op) const = 0;
  // Runs `test` (its attributes, types and constants are in `op`) and compares with what it
  // expects, in every way this runner knows. Returns "" or what went wrong.
  virtual std::string Run(const OpCase& test, const OpInstance& op) const = 0;
};

const CaseRunner& PortableRunner();
const CaseRunner& XnnpackRunner();  // where LINNET_HAS_XNNPACK is defined

// All runners that this build and machine have.
std::vector<const CaseRunner*> AllRunners();

}  // namespace linnet::conformance
