// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iterator>
#include <string_view>

#include "runtime/plan/file_header.h"
#include "schema/plan_generated.h"

// Which release of the runtime opens which plans: the only place that says so.
namespace linnet {

// What a program may list in required_features, and the minor version of the schema that introduced
// it.
struct Feature {
  std::string_view name;
  uint16_t minor;
};
inline constexpr Feature kFeatures[] = {{kRegionsFeature, 2}, {kSegmentsFeature, 3},
                                        {kLayoutsFeature, 4}, {kHalfFeature, 5},
                                        {kMarginsFeature, 8}, {kStripsFeature, 10}};

// Null for a feature that this version does not know.
constexpr const Feature* FindFeature(std::string_view name) {
  for (const Feature& feature : kFeatures)
    if (feature.name == name) return &feature;
  return nullptr;
}

// The runtime of this release knows the features up to `minor`, the ops up to `last_op` and the
// encodings up to `last_encoding`. Releases that differ in the patch number only are one.
struct Release {
  std::string_view name;  // "0.1"
  uint16_t minor;
  schema::OpKind last_op;
  schema::Encoding last_encoding;
};

// Oldest first. The last is the one that this tree is or becomes. Until it is out, its row follows
// the format; afterwards a change of the format needs a row for the next release.
inline constexpr Release kReleases[] = {
    {"0.1", 10, schema::OpKind::Attention, schema::Encoding::Panels16AffineU16},
};
inline constexpr const Release& kThisRelease = kReleases[std::size(kReleases) - 1];
static_assert(kThisRelease.minor == kSchemaMinor && kThisRelease.last_op == schema::OpKind::MAX &&
                  kThisRelease.last_encoding == schema::Encoding::MAX,
              "the format has changed: change the row of the next release, or add it");

}  // namespace linnet
