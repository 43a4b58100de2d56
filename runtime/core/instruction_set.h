// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/status.h"

// Which of the CPU's instructions kernels may use: all, or fewer when the environment variable
// LINNET_ISA names a smaller set, to test the kernels for other CPUs on one machine.
namespace linnet {

// Each set contains all sets before it. CPUs other than x86 have only the first.
// clang-format off
#define LINNET_INSTRUCTION_SETS(X)                                        \
  X(kBaseline, "baseline") X(kSse41, "sse41") X(kAvx, "avx")              \
  X(kFma3, "fma3") X(kAvx2, "avx2") X(kAvx512f, "avx512f") X(kAvx512, "avx512")
// clang-format on
#define LINNET_MEMBER(set, name) set,
enum class InstructionSet : int8_t { LINNET_INSTRUCTION_SETS(LINNET_MEMBER) };
#undef LINNET_MEMBER

// The possible values of LINNET_ISA, in the order of the sets.
inline constexpr char kInstructionSetNames[][sizeof("baseline")] = {
#define LINNET_NAME(set, name) name,
    LINNET_INSTRUCTION_SETS(LINNET_NAME)
#undef LINNET_NAME
};

// The largest set that the CPU supports completely.
InstructionSet CpuInstructionSet();

// Finds the set called `name`, for a CPU that supports `cpu`. kInvalidArgument for an unknown name.
// kUnsupported for a set that the CPU does not have: running with a smaller one would test other
// kernels than the user asked for.
Status ParseInstructionSet(const char* name, InstructionSet cpu, InstructionSet* set);

// What LINNET_ISA said when it was read for the first time.
struct InstructionSetChoice {
  Status status;            // of ParseInstructionSet; when not ok, nothing is masked
  const char* name = "";    // value of the variable, "" when it is not set
  InstructionSet set = {};  // what kernels may use
  bool masked = false;      // the CPU may have more than `set`
};
const InstructionSetChoice& ChosenInstructionSet();

}  // namespace linnet
