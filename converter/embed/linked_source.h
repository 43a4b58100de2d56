// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/embed/plan_use.h"

namespace linnet::converter {

// Of the library that the sources are for.
struct LibraryVersion {
  int major = 0, minor = 0, patch = 0;
};

// The C++ source of the tables in which the runtime looks up ops, kernels, lowerings and backends
// (runtime/ops/linked_ops.h), with rows for `use` and `backends` only (BackendsToLink), and of
// which parts of the runtime they need (runtime/core/linked_parts.h). It includes only linnet.h, of
// which it demands exactly `version`.
std::string LinkedSource(const PlanUse& use, const std::vector<std::string>& backends,
                         const LibraryVersion& version);

}  // namespace linnet::converter
