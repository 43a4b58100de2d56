// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/isa.h"

namespace linnet::kernels {

size_t ChosenLoops() {
  static const size_t chosen = [] {
    size_t i = std::size(kLoopSets) - 1;
    while (i > 0 && kLoopSets[i] > ChosenInstructionSet().set) --i;
    return i;
  }();
  return chosen;
}

}  // namespace linnet::kernels
