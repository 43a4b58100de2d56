// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/instruction_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>

namespace linnet {
namespace {

constexpr auto kLargest = static_cast<InstructionSet>(std::size(kInstructionSetNames) - 1);

StatusCode Parse(const char* name, InstructionSet cpu, InstructionSet* set) {
  return ParseInstructionSet(name, cpu, set).code();
}

TEST(InstructionSet, EachNameIsItsSet) {
  for (size_t i = 0; i < std::size(kInstructionSetNames); ++i) {
    InstructionSet set;
    ASSERT_EQ(Parse(kInstructionSetNames[i], kLargest, &set), StatusCode::kOk);
    EXPECT_EQ(static_cast<size_t>(set), i);
  }
}

TEST(InstructionSet, OtherNamesAreRefusedAndTheMessageHasAllNames) {
  InstructionSet set;
  for (const char* name : {"", "avx3", "AVX2", "avx2 "}) {
    const Status status = ParseInstructionSet(name, kLargest, &set);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << name;
    for (const char* known : kInstructionSetNames)
      EXPECT_NE(std::string(status.what()).find(known), std::string::npos) << known;
  }
}

TEST(InstructionSet, MissingSetsAreNotReplacedByLesserOnes) {
  InstructionSet set;
  for (size_t cpu = 0; cpu < std::size(kInstructionSetNames); ++cpu) {
    for (size_t named = 0; named < std::size(kInstructionSetNames); ++named)
      EXPECT_EQ(Parse(kInstructionSetNames[named], static_cast<InstructionSet>(cpu), &set),
                named <= cpu ? StatusCode::kOk : StatusCode::kUnsupported);
  }
}

#if defined(__x86_64__)
TEST(InstructionSet, TheCpuHasWhatTheCompilersLibrarySays) {
  const bool has[] = {
      true,
      __builtin_cpu_supports("sse4.1") != 0,
      __builtin_cpu_supports("avx") != 0,
      __builtin_cpu_supports("fma") != 0,
      __builtin_cpu_supports("avx2") != 0,
      __builtin_cpu_supports("avx512f") != 0,
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
          __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0,
      __builtin_cpu_supports("avx512fp16") != 0,
  };
  static_assert(std::size(has) == std::size(kInstructionSetNames));
  const auto missing = static_cast<int>(std::ranges::find(has, false) - has);
  EXPECT_EQ(static_cast<int>(CpuInstructionSet()), missing - 1);
}
#endif

TEST(InstructionSet, TheEnvironmentVariableChooses) {
  const InstructionSetChoice& choice = ChosenInstructionSet();
  const char* name = std::getenv("LINNET_ISA");
  EXPECT_EQ(choice.masked, name != nullptr && *name != '\0' && choice.status.ok());
  if (!choice.masked) {
    EXPECT_EQ(choice.set, CpuInstructionSet());
  } else {
    EXPECT_STREQ(kInstructionSetNames[static_cast<int>(choice.set)], name);
  }
}

}  // namespace
}  // namespace linnet
