// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/placement_wish.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace linnet::converter {
namespace {

constexpr char kClassAttr[] = "_class";
constexpr std::string_view kGroupPrefix = "loc:@";

}  // namespace

PlacementWish WishOf(const Node& node) {
  PlacementWish wish{node.requested_device(), {}};
  if (const tf::AttrValue* classes = node.FindAttr(kClassAttr); classes != nullptr)
    for (const std::string& entry : classes->list().s())
      if (entry.starts_with(kGroupPrefix)) wish.groups.push_back(entry.substr(kGroupPrefix.size()));
  return wish;
}

void Inherit(const PlacementWish& wish, Node* heir) {
  if (heir->requested_device().empty()) heir->set_requested_device(wish.device);
  const std::vector<std::string> own = WishOf(*heir).groups;
  tf::AttrValue classes;
  if (const tf::AttrValue* old = heir->FindAttr(kClassAttr); old != nullptr) classes = *old;
  const int before = classes.list().s_size();
  for (const std::string& group : wish.groups)
    if (std::ranges::find(own, group) == own.end())
      classes.mutable_list()->add_s(std::string(kGroupPrefix) + group);
  if (classes.list().s_size() > before) heir->SetAttr(kClassAttr, std::move(classes));
}

void StandFor(const Node& other, Node* heir) {
  heir->AddSources(other);
  Inherit(WishOf(other), heir);
}

}  // namespace linnet::converter
