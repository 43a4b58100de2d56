// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/status.h"

// Which of the CPU's instructions kernels may use: all, or fewer when the environment variable
// LINNET_ISA names a smaller set, to test the kernels for other CPUs on one machine.
namespace linnet {

// Each set contains all sets before it. CPUs other than x86 and 64-bit ARM have only the first.
// fp16: arithmetic with vectors of binary16, as most CPUs from ARMv8.2 on have it; AVX512-FP16.
// clang-format off
#if defined(__aarch64__)
#define LINNET_INSTRUCTION_SETS(X) X(kBaseline, "baseline") X(kFp16, "fp16")
#else
#define LINNET_INSTRUCTION_SETS(X)                                        \
  X(kBaseline, "baseline") X(kSse41, "sse41") X(kAvx, "avx")              \
  X(kFma3, "fma3") X(kAvx2, "avx2") X(kAvx512f, "avx512f") X(kAvx512, "avx512") \
  X(kFp16, "fp16")
#endif
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

// Which inner loops of kernels/isa.h this build contains. x86: all, unless CMake's option
// LINNET_X86_KERNELS names fewer. Others: one form, of the instructions that every CPU has.
#if defined(__x86_64__) && defined(__GNUC__)
#ifdef LINNET_WITHOUT_BASELINE_KERNELS
#define LINNET_HAS_BASELINE_KERNELS 0
#else
#define LINNET_HAS_BASELINE_KERNELS 1
#endif
#ifdef LINNET_WITHOUT_AVX2_KERNELS
#define LINNET_HAS_AVX2_KERNELS 0
#else
#define LINNET_HAS_AVX2_KERNELS 1
#endif
#ifdef LINNET_WITHOUT_AVX512_KERNELS
#define LINNET_HAS_AVX512_KERNELS 0
#else
#define LINNET_HAS_AVX512_KERNELS 1
#endif
#else
#define LINNET_HAS_BASELINE_KERNELS 1
#define LINNET_HAS_AVX2_KERNELS 0
#define LINNET_HAS_AVX512_KERNELS 0
#endif

// Whether this build contains the products in halves, which only the set kFp16 can run.
#if defined(__aarch64__) || (LINNET_HAS_AVX512_KERNELS && __has_include(<avx512fp16intrin.h>))
#define LINNET_HAS_FP16_KERNELS 1
#else
#define LINNET_HAS_FP16_KERNELS 0
#endif

// The sets of these loops, in the order of the sets. The CPU must have the first.
inline constexpr InstructionSet kLoopSets[] = {
#if LINNET_HAS_BASELINE_KERNELS
    InstructionSet::kBaseline,
#endif
#if LINNET_HAS_AVX2_KERNELS
    InstructionSet::kAvx2,
#endif
#if LINNET_HAS_AVX512_KERNELS
    InstructionSet::kAvx512,
#endif
};

// The largest set that the CPU supports completely.
InstructionSet CpuInstructionSet();

// Finds the set called `name`, for a CPU that supports `cpu`. kInvalidArgument for an unknown name.
// kUnsupported for a set that the CPU does not have: running with a smaller one would test other
// kernels than the user asked for.
Status ParseInstructionSet(const char* name, InstructionSet cpu, InstructionSet* set);

// What LINNET_ISA said when it was read for the first time.
struct InstructionSetChoice {
  Status status;            // not ok: of ParseInstructionSet, or no loops of this build may run
  const char* name = "";    // value of the variable, "" when it is not set
  InstructionSet set = {};  // what kernels may use
  bool masked = false;      // the CPU may have more than `set`
};
const InstructionSetChoice& ChosenInstructionSet();

}  // namespace linnet
