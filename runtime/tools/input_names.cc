// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/input_names.h"

#include <cstdint>
#include <vector>

#include "runtime/core/nearest_names.h"

namespace linnet::tools {
namespace {

constexpr size_t kMostNames = 10;

std::vector<std::string_view> Names(const linnet_session* session) {
  const int32_t count = linnet_session_num_inputs(session);
  std::vector<std::string_view> names;
  names.reserve(static_cast<size_t>(count));
  for (int32_t i = 0; i < count; ++i)
    names.emplace_back(linnet_session_input_info(session, i)->name);
  return names;
}

}  // namespace

std::string InputNames(const linnet_session* session) {
  return ListOfNames(Names(session), kMostNames);
}

std::string NoSuchInput(const linnet_session* session, std::string_view name) {
  const std::vector<std::string_view> names = Names(session);
  std::string text = "the plan has no input '";
  text += name;
  text += "'; it has ";
  if (names.empty()) return text + "none";
  if (names.size() > kMostNames)
    if (const auto nearest = NearestNames(name, names); !nearest.empty())
      text += ListOfNames(nearest) + "; all are ";
  return text + ListOfNames(names, kMostNames);
}

}  // namespace linnet::tools
