// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/linked_parts.h"

namespace linnet {

// Weights read where they lie in the plan; a part of the runtime as those of linked_parts.h. A
// program has this, or packing, or both.
extern const bool kLinkedPlain;

// Whether weights are packed: a bool that is constant in programs with only one of both.
class PacksWeights {
 public:
  constexpr PacksWeights(bool packs = true) : packs_(packs) {}  // stands for a bool
  // Inlined also where code is compiled for size, because only then it can be constant.
  [[gnu::always_inline]] constexpr operator bool() const {
    return kLinkedPacking && (!kLinkedPlain || packs_);
  }

 private:
  bool packs_;
};

}  // namespace linnet
