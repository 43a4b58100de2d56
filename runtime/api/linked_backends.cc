// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "runtime/api/backend_table.h"
#include "runtime/api/gpu_sessions.h"
#include "runtime/session/prepared_weights.h"

// The backends of runtime/backends/backends.def that this build has. Nothing else may stand in this
// file: see runtime/ops/linked_ops.h.
#define BACKEND(folder)        \
  namespace linnet::folder {   \
  const Backend& GetBackend(); \
  }
#include "runtime/backends/built_backends.def"
#undef BACKEND

namespace linnet::api {

const Backend& (*const kLinkedBackends[])() = {
#define BACKEND(folder) &folder::GetBackend,
#include "runtime/backends/built_backends.def"
#undef BACKEND
};
static_assert(std::size(kLinkedBackends) <= PreparedWeights::kMaxBackends);
const GpuSessions* const kLinkedGpuSessions = &kGpuSessions;
const int kNumLinkedBackends = static_cast<int>(std::size(kLinkedBackends));

}  // namespace linnet::api
