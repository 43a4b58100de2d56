// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/golden_plan.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/scratch_folder.h"

namespace linnet {
namespace {

std::vector<std::byte> Read(const std::string& path) {
  const std::string bytes = ReadAll(path);
  if (bytes.empty()) {
    std::fprintf(stderr, "there is no %s\n", path.c_str());
    std::abort();
  }
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return {data, data + bytes.size()};
}

}  // namespace

const std::vector<std::byte>& GoldenPlan(const char* name) {
  static auto* const read = new std::map<std::string, std::vector<std::byte>>();
  const auto [plan, is_new] = read->try_emplace(name);
  if (is_new) plan->second = Read(std::string(LINNET_GOLDEN_PLANS "/") + name + ".linnet");
  return plan->second;
}

}  // namespace linnet
