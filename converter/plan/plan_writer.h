// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "converter/plan/program.h"

namespace linnet::converter {

struct WrittenPlan {
  int64_t plan_bytes = 0;
  int64_t structure_bytes = 0;
  int64_t weights_bytes = 0;
};

// Writes a .linnet file (schema/README.md) that holds `programs`, one per signature, over one set
// of weights: to `path`.part first, renamed when it is whole. Weights are streamed from where they
// lie; equal ones are written once. The same programs give the same bytes. Before it gets its name
// the file is checked as the runtime checks it. Unavailable: it could not be written; Internal: it
// would not open.
absl::StatusOr<WrittenPlan> WritePlan(std::span<const Program> programs, const std::string& path);
inline absl::StatusOr<WrittenPlan> WritePlan(const Program& program, const std::string& path) {
  return WritePlan({&program, 1}, path);
}

}  // namespace linnet::converter
