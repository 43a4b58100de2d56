// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/plan/plan_view.h"

namespace linnet::converter {

// Blocks that a session of a plan's first signature needs, with one thread.
struct SessionSizes {
  int64_t session = 0;    // for linnet_session_create
  int64_t weights = 0;    // for linnet_weights_prepare
  int64_t opened = 0;     // for linnet_plan_open_memory with LINNET_OPEN_IN_PLACE
  int64_t temporary = 0;  // what all three take from the allocator beside these blocks
  std::string of;         // what was measured: "portable kernels"
};

// The name that a plan's file gives to its symbols: "movenet_lightning" of
// "models/movenet-lightning.linnet".
std::string PlanSymbol(std::string_view path);

// A C and C++ header that declares the plan, and has its sizes as constants.
std::string PlanHeader(std::string_view symbol, std::string_view path, int64_t plan_bytes,
                       const PlanView& plan, const SessionSizes& sizes);

// A C++ source that places the bytes of the file `path`, which is absolute, at a multiple of 64
// bytes. The assembler reads the file, which is as fast for large plans as for small ones.
std::string PlanSource(std::string_view symbol, std::string_view path);

}  // namespace linnet::converter
