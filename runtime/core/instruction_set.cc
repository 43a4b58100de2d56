// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/instruction_set.h"

#include <cstdlib>
#include <cstring>
#include <iterator>
#if defined(__x86_64__)
// In C++ only GCC compiles glibc 2.36's header.
#if __has_include(<sys/platform/x86.h>) && !defined(__clang__)
#include <sys/platform/x86.h>
#define LINNET_GLIBC_KNOWS_CPU 1
#else
#include <cpuid.h>
#define LINNET_GLIBC_KNOWS_CPU 0
#endif
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace linnet {
namespace {

// The value of LINNET_ISA, or null.
const char* WantedSet() {
#if LINNET_FREESTANDING
  return nullptr;  // there is no environment
#else
  return std::getenv("LINNET_ISA");
#endif
}

InstructionSetChoice Choose() {
  const InstructionSet cpu = CpuInstructionSet();
  InstructionSetChoice choice = {.set = cpu};
  if (const char* name = WantedSet(); name != nullptr && *name != '\0') {
    choice.name = name;
    choice.status = ParseInstructionSet(name, cpu, &choice.set);
    // A CPU may have instructions beyond the largest set that it supports completely, so naming
    // even that set masks some.
    choice.masked = choice.status.ok();
  }
  if (choice.status.ok() && choice.set < kLoopSets[0])
    choice.status = {StatusCode::kUnsupported,
                     "this build has no kernels for a set as small as that of this CPU or "
                     "LINNET_ISA"};
  return choice;
}

}  // namespace

#if defined(__x86_64__)
namespace {

// The largest set whose instructions the CPU has, and those of each set before.
constexpr InstructionSet SetOf(const bool (&has)[std::size(kInstructionSetNames)]) {
  InstructionSet set = InstructionSet::kBaseline;
  for (size_t i = 0; i < std::size(has) && has[i]; ++i) set = static_cast<InstructionSet>(i);
  return set;
}

}  // namespace

// In a virtual machine each question to the CPU takes 4 microseconds, so whoever has asked already
// is asked instead: glibc (2.33), when a program starts. __builtin_cpu_supports would link 5 KB of
// code that also knows the names of CPUs.
#if LINNET_GLIBC_KNOWS_CPU
InstructionSet CpuInstructionSet() {
  return SetOf({
      true,
      CPU_FEATURE_ACTIVE(SSE4_1),
      CPU_FEATURE_ACTIVE(AVX),
      CPU_FEATURE_ACTIVE(FMA),
      CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(F16C),  // all CPUs with one have both
      CPU_FEATURE_ACTIVE(AVX512F),
      CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512CD) &&
          CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512VL),
      CPU_FEATURE_ACTIVE(AVX512_FP16),
  });
}
#else
InstructionSet CpuInstructionSet() {
  unsigned last, a, b, c, d, basic, more = 0, newer = 0;  // what the CPU has
  __cpuid(0, last, b, c, d);
  __cpuid(1, a, b, basic, d);
  if (last >= 7) __cpuid_count(7, 0, a, more, c, newer);
  // Which registers the system keeps when it switches threads: no other may be used.
  unsigned kept = 0;
  if ((basic & bit_OSXSAVE) != 0) __asm__("xgetbv" : "=a"(kept), "=d"(d) : "c"(0));
  constexpr unsigned kYmm = 0x6, kZmm = 0xe6;
  constexpr unsigned kFp16 = 1u << 23;
  constexpr unsigned kAvx512 = bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  return SetOf({
      true,
      (basic & bit_SSE4_1) != 0,
      (basic & bit_AVX) != 0 && (kept & kYmm) == kYmm,
      (basic & bit_FMA) != 0,
      (more & bit_AVX2) != 0 && (basic & bit_F16C) != 0,
      (more & bit_AVX512F) != 0 && (kept & kZmm) == kZmm,
      (more & kAvx512) == kAvx512,
      (newer & kFp16) != 0,
  });
}
#endif
#elif defined(__aarch64__) && defined(__linux__)
InstructionSet CpuInstructionSet() {
  return (getauxval(AT_HWCAP) & HWCAP_ASIMDHP) != 0 ? InstructionSet::kFp16
                                                    : InstructionSet::kBaseline;
}
#elif defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
InstructionSet CpuInstructionSet() { return InstructionSet::kFp16; }
#else
InstructionSet CpuInstructionSet() { return InstructionSet::kBaseline; }
#endif

Status ParseInstructionSet(const char* name, InstructionSet cpu, InstructionSet* set) {
  for (size_t i = 0; i < std::size(kInstructionSetNames); ++i) {
    if (std::strcmp(name, kInstructionSetNames[i]) != 0) continue;
    const auto named = static_cast<InstructionSet>(i);
    if (named > cpu)
      return {StatusCode::kUnsupported, "this CPU does not have the set that LINNET_ISA names"};
    *set = named;
    return {};
  }
#define LINNET_LISTED(set, name) " " name
  return {StatusCode::kInvalidArgument,
          "LINNET_ISA names no set of instructions of such CPUs:" LINNET_INSTRUCTION_SETS(
              LINNET_LISTED)};
#undef LINNET_LISTED
}

const InstructionSetChoice& ChosenInstructionSet() {
  static const InstructionSetChoice choice = Choose();
  return choice;
}

}  // namespace linnet
