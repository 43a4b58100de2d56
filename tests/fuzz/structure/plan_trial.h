// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace linnet::fuzz {

// Opens a plan, prepares it for both backends and runs it several times: other shapes, calm and
// hostile values, bound memory, reset, cancel, threads. Ends the process where a promise is broken
// or the backends differ grossly. What is tried follows from the file's bytes alone.
void TryPlan(std::span<const uint8_t> file);

}  // namespace linnet::fuzz
