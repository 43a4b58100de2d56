// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/instruction_set.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace linnet {
namespace {

InstructionSetChoice Choose() {
  const InstructionSet cpu = CpuInstructionSet();
  InstructionSetChoice choice = {.set = cpu};
  const char* name = std::getenv("LINNET_ISA");
  if (name == nullptr || *name == '\0') return choice;
  choice.name = name;
  choice.status = ParseInstructionSet(name, cpu, &choice.set);
  // A CPU may have instructions beyond the largest set that it supports completely, so naming even
  // that set masks some.
  choice.masked = choice.status.ok();
  return choice;
}

}  // namespace

InstructionSet CpuInstructionSet() {
  InstructionSet set = InstructionSet::kBaseline;
#if defined(__x86_64__) && defined(__GNUC__)
  const bool has[] = {
      true,
      __builtin_cpu_supports("sse4.1") != 0,
      __builtin_cpu_supports("avx") != 0,
      __builtin_cpu_supports("fma") != 0,
      __builtin_cpu_supports("avx2") != 0,
      __builtin_cpu_supports("avx512f") != 0,
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
          __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0,
  };
  static_assert(std::size(has) == std::size(kInstructionSetNames));
  for (size_t i = 0; i < std::size(has) && has[i]; ++i) set = static_cast<InstructionSet>(i);
#endif
  return set;
}

Status ParseInstructionSet(const char* name, InstructionSet cpu, InstructionSet* set) {
  for (size_t i = 0; i < std::size(kInstructionSetNames); ++i) {
    if (std::strcmp(name, kInstructionSetNames[i]) != 0) continue;
    const auto named = static_cast<InstructionSet>(i);
    if (named > cpu)
      return {StatusCode::kUnsupported, "this CPU does not have the set that LINNET_ISA names"};
    *set = named;
    return {};
  }
  return {
      StatusCode::kInvalidArgument,
      "LINNET_ISA names no instruction set (baseline, sse41, avx, fma3, avx2, avx512f, avx512)"};
}

const InstructionSetChoice& ChosenInstructionSet() {
  static const InstructionSetChoice choice = Choose();
  return choice;
}

}  // namespace linnet
