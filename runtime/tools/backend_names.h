// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "linnet/linnet.h"

// What runs a session, as linnet-run and the programs that read its JSON call it.
namespace linnet::tools {

// What is used in fact: "cpu", "portable", "plain", "vulkan".
const char* BackendName(const linnet_backend_info& info);

// "passed", "cached", "failed" or "none".
const char* SelfTestName(const linnet_backend_info& info);

// The version of XNNPACK, "2022-02", or "none".
const char* XnnpackPackage();

}  // namespace linnet::tools
