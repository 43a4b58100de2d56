// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/status.h"

// What of the CPU's instructions kernels may use: all that it has, or less when the environment
// variable LINNET_ISA names a smaller set. So one machine tests the kernels of lesser ones.
namespace linnet {

// Each set holds those above it. On other CPUs than x86 there is only the first.
// clang-format off
#define LINNET_INSTRUCTION_SETS(X)                                        \
  X(kBaseline, "baseline") X(kSse41, "sse41") X(kAvx, "avx")              \
  X(kFma3, "fma3") X(kAvx2, "avx2") X(kAvx512f, "avx512f") X(kAvx512, "avx512")
// clang-format on
#define LINNET_MEMBER(set, name) set,
enum class InstructionSet : int8_t { LINNET_INSTRUCTION_SETS(LINNET_MEMBER) };
#undef LINNET_MEMBER

// The names that LINNET_ISA may have, in the order of the sets.
inline constexpr const char* kInstructionSetNames[] = {
#define LINNET_NAME(set, name) name,
    LINNET_INSTRUCTION_SETS(LINNET_NAME)
#undef LINNET_NAME
};

// The largest set that the CPU has whole.
InstructionSet CpuInstructionSet();

// The set that `name` names on a CPU that has `cpu`. kInvalidArgument for a name that is none;
// kUnsupported for a set that the CPU lacks: running with less would test something else than was
// asked for.
Status ParseInstructionSet(const char* name, InstructionSet cpu, InstructionSet* set);

// LINNET_ISA as it was at the first question.
struct InstructionSetChoice {
  Status status;            // ParseInstructionSet's; when not ok, nothing is masked
  const char* name = "";    // what the variable says, "" when it is not set
  InstructionSet set = {};  // what kernels may use
  bool masked = false;      // it is less than what the CPU has
};
const InstructionSetChoice& ChosenInstructionSet();

}  // namespace linnet
