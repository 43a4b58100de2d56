// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/weight_layout.h"

#include <xxhash.h>

#include <map>

#include "runtime/plan/file_header.h"

namespace linnet::converter {

WeightLayout LayOutWeights(std::span<const Program> programs) {
  WeightLayout layout;
  std::multimap<uint64_t, int> by_hash;
  int64_t end = 0;
  const auto add = [&](const Constant& weight) {
    // No program has a weight twice, so that a single program needs no search.
    const uint64_t hash =
        programs.size() == 1 ? 0 : XXH3_64bits(weight.bytes.data(), weight.bytes.size());
    if (programs.size() > 1) {
      const auto [first, last] = by_hash.equal_range(hash);
      for (auto it = first; it != last; ++it)
        if (layout.weights[static_cast<size_t>(it->second)]->SameAs(weight)) return it->second;
    }
    const auto index = static_cast<int>(layout.weights.size());
    by_hash.emplace(hash, index);
    layout.weights.push_back(&weight);
    layout.offsets.push_back(AlignUp(end, kWeightAlignment));
    end = layout.offsets.back() + static_cast<int64_t>(weight.bytes.size());
    return index;
  };
  for (const Program& program : programs) {
    auto& indices = layout.indices.emplace_back();
    for (const Constant& weight : program.weights) indices.push_back(add(weight));
  }
  layout.bytes = layout.weights.empty() ? 0 : AlignUp(end + kWeightTail, kWeightAlignment);
  return layout;
}

}  // namespace linnet::converter
