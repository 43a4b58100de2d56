// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace linnet::fuzz {

// Opens a plan, prepares it for both backends and runs it several times: in other shapes, with
// ordinary and hostile values, with bound memory, after a reset, cancelled, on several threads.
// Ends the process when a guarantee of linnet.h is broken or the backends differ grossly. The
// file's bytes alone determine what is tried.
void TryPlan(std::span<const uint8_t> file);

}  // namespace linnet::fuzz
