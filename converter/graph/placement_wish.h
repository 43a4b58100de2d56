// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/graph/graph.h"

namespace linnet::converter {

// What the model says about where a node should run. Whatever takes a node's place inherits it, so
// that it reaches placement (converter/place).
struct PlacementWish {
  std::string device;               // NodeDef.device
  std::vector<std::string> groups;  // x of each "loc:@x" in attribute `_class`
};

PlacementWish WishOf(const Node& node);

// `heir` keeps a device that it asks for already; the groups come together.
void Inherit(const PlacementWish& wish, Node* heir);

// `heir` stands for `other` too, which goes away or is only part of it now: it takes over sources
// and wishes.
void StandFor(const Node& other, Node* heir);

}  // namespace linnet::converter
