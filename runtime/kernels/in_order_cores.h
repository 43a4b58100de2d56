// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet::kernels {

// Reads what Linux says about the processors of an ARM machine (/proc/cpuinfo), piece by piece.
class ProcessorList {
 public:
  void Read(const char* text, int64_t size);

  // Whether there are processors and all are Cortex-A53 or Cortex-A55.
  bool AllIssueInOrder() const { return cores_ > 0 && in_order_cores_ == cores_; }

 private:
  void EndLine();

  char line_[32];  // the begin of the line that is being read
  int64_t line_size_ = 0;
  int64_t cores_ = 0, in_order_cores_ = 0;
};

// Whether every core of this machine issues instructions in order and so that loads of 8 bytes cost
// less than loads of 16: kernels arrange their instructions accordingly. Of a machine with such
// cores and larger ones the larger ones do most of the work, so there it is false. The same at each
// call; results do not depend on it.
#if defined(__aarch64__) && defined(__linux__)
bool CoresIssueInOrder();
#else
constexpr bool CoresIssueInOrder() { return false; }
#endif

}  // namespace linnet::kernels
