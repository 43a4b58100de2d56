// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// A way to execute one op: with the portable kernels, or on a backend.
class CaseRunner {
 public:
  virtual ~CaseRunner() = default;

  // The last part of the test's name.
  virtual const char* name() const = 0;
  // False for a runner that need not support every case; such cases are skipped with the reason.
  virtual bool must_run_everything() const { return false; }
  // It gets one of so many cases of an op, the first of each such group.
  virtual int stride() const { return 1; }
  // nullptr when this runner can run `op`, else the reason why not.
  virtual const char* WhyUnsupported(const OpInstance& op) const = 0;
  // nullptr, or why `test` may have other results on this machine; then it is skipped.
  virtual const char* WhyExcepted(const OpCase&) const { return nullptr; }
  // Runs `test` (`op` has its attributes, types and constants) in every way that this runner knows,
  // and compares with the expected outputs. Returns "" or what went wrong.
  virtual std::string Run(const OpCase& test, const OpInstance& op) const = 0;
};

const CaseRunner& PortableRunner();
// The same kernels on a few rows at a time, which must give the bits that they give on all.
const CaseRunner& StripsRunner();
const CaseRunner& XnnpackRunner();  // if LINNET_HAS_XNNPACK is defined
// If LINNET_HAS_VULKAN is defined. On a machine without a GPU it supports nothing, and says so.
const CaseRunner& VulkanRunner();
const CaseRunner& VulkanHalfRunner();  // the same with floats in 16 bits
// Where shaders multiply these as they are.
const CaseRunner& VulkanNativeHalfRunner();

// All runners of this build that work on this machine.
std::vector<const CaseRunner*> AllRunners();

}  // namespace linnet::conformance
