// SPDX-License-Identifier: Apache-2.0
// Writes the golden plans again: write_golden_plans FOLDER
#include <cstdio>
#include <string>

#include "tests/plans/golden_plans.h"
#include "tests/scratch_folder.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]), 1;
  for (const linnet::GoldenPlanSource& source : linnet::GoldenPlanSources()) {
    const std::vector<std::byte> plan = source.build();
    const std::string path = std::string(argv[1]) + "/" + source.name + ".linnet";
    linnet::WriteAll(path, {reinterpret_cast<const char*>(plan.data()), plan.size()});
    std::printf("%s: %zu bytes\n", path.c_str(), plan.size());
  }
}
