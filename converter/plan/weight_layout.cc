// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/weight_layout.h"

#include <xxhash.h>

#include <map>

#include "runtime/core/encoding.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// Fills in `weights` (with the encodings of their values) and `indices`.
void NumberWeights(std::span<const Program> programs, WeightLayout* layout) {
  std::multimap<uint64_t, int> by_hash;
  const auto add = [&](const Constant& weight) {
    // No program has a weight twice, so that a single program needs no search.
    const uint64_t hash =
        programs.size() == 1 ? 0 : XXH3_64bits(weight.bytes.data(), weight.bytes.size());
    if (programs.size() > 1) {
      const auto [first, last] = by_hash.equal_range(hash);
      for (auto it = first; it != last; ++it)
        if (layout->weights[static_cast<size_t>(it->second)].value->SameAs(weight))
          return it->second;
    }
    const auto index = static_cast<int>(layout->weights.size());
    by_hash.emplace(hash, index);
    layout->weights.push_back({&weight, weight.encoding});
    return index;
  };
  for (const Program& program : programs) {
    auto& indices = layout->indices.emplace_back();
    for (const Constant& weight : program.weights) indices.push_back(add(weight));
  }
}

}  // namespace

WeightLayout LayOutWeights(std::span<const Program> programs, WeightOrder order) {
  WeightLayout layout;
  NumberWeights(programs, &layout);
  if (order == WeightOrder::kPanels) {
    const std::vector<bool> in_panels =
        WeightsInPanels(programs, layout.indices, layout.weights.size());
    for (size_t i = 0; i < in_panels.size(); ++i)
      if (in_panels[i] && HasPanels(layout.weights[i].encoding))
        layout.weights[i].encoding = InPanels(layout.weights[i].encoding);
  }
  int64_t end = 0;
  for (WeightLayout::Weight& weight : layout.weights) {
    weight.offset = AlignUp(end, kWeightAlignment);
    weight.bytes = IsPanels(weight.encoding) ? EncodedBytes(weight.value->type, weight.encoding)
                                             : static_cast<int64_t>(weight.value->bytes.size());
    end = weight.offset + weight.bytes;
  }
  layout.bytes = layout.weights.empty() ? 0 : AlignUp(end + kWeightTail, kWeightAlignment);
  return layout;
}

}  // namespace linnet::converter
