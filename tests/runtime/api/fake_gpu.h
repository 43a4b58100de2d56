// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/runtime/session/fake_device.h"

namespace linnet {

// The GPU of the library that is built with the test device.
FakeDevice& FakeGpu();

}  // namespace linnet
