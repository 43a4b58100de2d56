// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/case_runner.h"

namespace linnet::conformance {

std::vector<const CaseRunner*> AllRunners() { return {&PortableRunner()}; }

}  // namespace linnet::conformance
