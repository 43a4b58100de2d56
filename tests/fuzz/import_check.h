// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "converter/graph/graph_def.h"
#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "converter/import/import.h"

namespace linnet::converter {

// Large enough for any seed, small enough for the fuzzer's memory limit.
inline constexpr int64_t kFuzzBytes = 16 << 20;

// An imported graph must be valid, and printing and exporting it must be safe.
inline void CheckImported(const absl::StatusOr<ImportedModel>& model) {
  if (!model.ok()) return;
  if (!VerifyGraph(*model->graph).ok()) __builtin_trap();
  PrintGraph(*model->graph);
  ToGraphDef(*model->graph);
}

}  // namespace linnet::converter
