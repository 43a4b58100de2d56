// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "runtime/core/diagnostic.h"
#include "runtime/core/region.h"
#include "runtime/core/status.h"

namespace linnet {

// Makes the error of opening a plan more useful when the plan is of a newer version of the schema
// than this library: the converter that wrote it and the release of the runtime that it needs join
// the sentence in `diagnostic`, which may be null, and the result is kVersion. Returns `refused`,
// which is why the plan was refused, for plans of this version and older ones, and where the reason
// is not the version: no memory, a file cut short. `file` is untrusted.
Status ExplainNewer(std::span<const std::byte> file, const Status& refused, Region& region,
                    Diagnostic* diagnostic);

}  // namespace linnet
