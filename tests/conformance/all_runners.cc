// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "tests/conformance/case_runner.h"

namespace linnet::conformance {

std::vector<const CaseRunner*> AllRunners() {
  std::vector<const CaseRunner*> runners = {&PortableRunner(), &StripsRunner()};
#ifdef LINNET_HAS_XNNPACK
  runners.push_back(&XnnpackRunner());
#endif
#ifdef LINNET_HAS_VULKAN
  // Runs that choose a set of the CPU's instructions would only repeat what this runner does.
  if (std::getenv("LINNET_ISA") == nullptr) {
    runners.push_back(&VulkanRunner());
    runners.push_back(&VulkanHalfRunner());
    runners.push_back(&VulkanNativeHalfRunner());
  }
#endif
  return runners;
}

}  // namespace linnet::conformance
