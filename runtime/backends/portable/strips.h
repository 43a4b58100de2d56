// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/linked_weights.h"
#include "runtime/session/backend.h"

namespace linnet::portable {

// One runnable step of several (Backend::CreateStrips), whose chain must outlive it. Each part is
// the ordinary kernel of its op, on some rows: to a kernel, these are a smaller picture whose pads
// are as large as the rows lie outside the whole one. Threads share the strips (strip_shares.h),
// each with memory of its own (a slot), and make the rows that two of them need twice.
Status CreateStrips(const StripsContext& strips, PacksWeights packs, const Parallel& parallel,
                    Region& region, RunnableStep** out, int64_t* workspace_bytes);

}  // namespace linnet::portable
