// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace linnet {

// The digits and the colon before them at the end of a name: ":1" of "x:1", "" of "x".
constexpr std::string_view SlotOf(std::string_view tensor) {
  const size_t colon = tensor.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == tensor.size()) return {};
  const std::string_view slot = tensor.substr(colon);
  return slot.find_first_not_of("0123456789", 1) == std::string_view::npos ? slot
                                                                           : std::string_view();
}

// Do both names mean the same tensor? "x" is short for "x:0", the first output of node x.
constexpr bool SameTensor(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) return SameTensor(b, a);
  return a == b || (b.substr(0, a.size()) == a && b.substr(a.size()) == ":0" && SlotOf(a).empty());
}

}  // namespace linnet
