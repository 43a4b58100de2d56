// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/case_runner.h"

namespace linnet::conformance {

std::vector<const CaseRunner*> AllRunners() {
  std::vector<const CaseRunner*> runners = {&PortableRunner()};
#ifdef LINNET_HAS_XNNPACK
  runners.push_back(&XnnpackRunner());
#endif
  return runners;
}

}  // namespace linnet::conformance
