// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// The device and the colocation groups that the model requests for a node. A node that replaces
// another one inherits its requests, so that they reach placement (converter/place).
struct PlacementWish {
  std::string device;               // NodeDef.device
  std::vector<std::string> groups;  // x of each "loc:@x" in attribute `_class`
};

PlacementWish WishOf(const Node& node);

// Adds `wish` to what `heir` requests. A device that `heir` requests already stays.
void Inherit(const PlacementWish& wish, Node* heir);

// For an `heir` that replaces or contains `other`: it inherits the sources and the wish of `other`.
void StandFor(const Node& other, Node* heir);

}  // namespace linnet::converter
