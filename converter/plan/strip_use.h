// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace linnet::converter {

// Which steps of the host run together in strips.
enum class StripUse {
  kNone,
  kLatency,  // where that saves time, as far as is known; where it does not matter, also to save
             // memory
  kMemory    // where that saves memory and does not cost much time
};

}  // namespace linnet::converter
