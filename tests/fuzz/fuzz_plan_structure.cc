// SPDX-License-Identifier: Apache-2.0
// A .linnet file whose parts are changed instead of its bytes. Most mutants open, so this tests how
// they run (structure/plan_trial.h).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/fuzz/structure/plan_mutator.h"
#include "tests/fuzz/structure/plan_trial.h"

namespace {

size_t Give(const std::vector<uint8_t>& file, uint8_t* to) {
  std::copy(file.begin(), file.end(), to);
  return file.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  linnet::fuzz::TryPlan({data, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  const std::vector<uint8_t> file = linnet::fuzz::MutatePlan({data, size}, max_size, seed);
  return file.empty() ? size : Give(file, data);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size,
                                            unsigned int seed) {
  const std::vector<uint8_t> file =
      linnet::fuzz::CrossPlans({data, size}, {other, other_size}, max_size, seed);
  return Give(file, out);
}
