// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace linnet {

// Part of a text that is long enough. Not substr, whose exception a device need not be able to
// throw.
constexpr std::string_view Part(std::string_view text, size_t begin, size_t count) {
  text.remove_prefix(begin);
  text.remove_suffix(text.size() - count);
  return text;
}

// The digits and the colon before them at the end of a name: ":1" of "x:1", "" of "x".
constexpr std::string_view SlotOf(std::string_view tensor) {
  const size_t colon = tensor.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == tensor.size()) return {};
  const std::string_view slot = Part(tensor, colon, tensor.size() - colon);
  return slot.find_first_not_of("0123456789", 1) == std::string_view::npos ? slot
                                                                           : std::string_view();
}

// Do both names mean the same tensor? "x" is short for "x:0", the first output of node x.
constexpr bool SameTensor(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) return SameTensor(b, a);
  return a == b || (Part(b, 0, a.size()) == a && Part(b, a.size(), b.size() - a.size()) == ":0" &&
                    SlotOf(a).empty());
}

}  // namespace linnet
