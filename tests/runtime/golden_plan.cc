// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/golden_plan.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace linnet {
namespace {

std::vector<std::byte> Read(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "there is no %s\n", path.c_str());
    std::abort();
  }
  std::vector<std::byte> bytes;
  std::byte part[4096];
  for (size_t got; (got = std::fread(part, 1, sizeof(part), file)) > 0;)
    bytes.insert(bytes.end(), part, part + got);
  std::fclose(file);
  return bytes;
}

}  // namespace

const std::vector<std::byte>& GoldenPlan(const char* name) {
  static auto* const read = new std::map<std::string, std::vector<std::byte>>();
  const auto [plan, is_new] = read->try_emplace(name);
  if (is_new) plan->second = Read(std::string(LINNET_GOLDEN_PLANS "/") + name + ".linnet");
  return plan->second;
}

}  // namespace linnet
