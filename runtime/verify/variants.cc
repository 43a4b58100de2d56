// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/variants.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/verify/scratch.h"

namespace linnet {
namespace {

Status Refuse(const PlanProgram& program, const char* what, Diagnostic* diagnostic) {
  if (diagnostic != nullptr) diagnostic->Format("signature '%s': %s", program.key, what);
  return {StatusCode::kInvalidPlan, what};
}

// Do the same dimensions vary, too? Symbols are a program's own.
bool SameType(const PlanTensor& a, const PlanTensor& b) {
  if (a.type != b.type || a.symbols.size() != b.symbols.size()) return false;
  for (size_t i = 0; i < a.symbols.size(); ++i)
    if ((a.symbols[i] < 0) != (b.symbols[i] < 0)) return false;
  return true;
}

bool SamePorts(std::span<const PlanPort> a, const PlanProgram& program_a,
               std::span<const PlanPort> b, const PlanProgram& program_b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (std::strcmp(a[i].name, b[i].name) != 0 || std::strcmp(a[i].source, b[i].source) != 0 ||
        !SameType(program_a.tensors[a[i].tensor], program_b.tensors[b[i].tensor]))
      return false;
  return true;
}

}  // namespace

Status CheckVariants(const PlanView& view, const Region& region,
                     std::span<VerifiedProgram> verified, Diagnostic* diagnostic) {
  const std::span<const PlanProgram> programs = view.programs;
  const size_t count = programs.size();
  if (!kLinkedDevices) {  // each is the host's, of a signature of its own
    for (size_t i = 0; i < count; ++i) verified[i].signature = static_cast<int32_t>(i);
    return {};
  }
  for (size_t i = 1; i < count; ++i)
    if (programs[i].variant == Variant::kHost && programs[i - 1].variant != Variant::kHost)
      return Refuse(programs[i], "the host's programs must come before all others", diagnostic);
  Region temporary(region.allocator());
  auto* sorted = temporary.New<int32_t>(static_cast<int64_t>(count));
  if (sorted == nullptr) return kNoMemoryToVerify;
  std::iota(sorted, sorted + count, 0);
  // All of it: that is a heap sort, a third of the code of std::sort.
  std::partial_sort(sorted, sorted + count, sorted + count, [&](int32_t a, int32_t b) {
    const int order = std::strcmp(programs[a].key, programs[b].key);
    return order != 0 ? order < 0 : programs[a].variant < programs[b].variant;
  });
  // Of each signature, the first is the host's.
  int32_t host = -1;
  for (size_t i = 0; i < count; ++i) {
    const PlanProgram& program = programs[sorted[i]];
    const bool begins = host < 0 || std::strcmp(programs[host].key, program.key) != 0;
    if (begins && program.variant != Variant::kHost)
      return Refuse(program, "it has no program for the host", diagnostic);
    if (begins) host = sorted[i];
    verified[sorted[i]].signature = host;
    if (begins) continue;
    if (programs[sorted[i - 1]].variant == program.variant)
      return Refuse(program, "two programs are of the same variant", diagnostic);
    if (!SamePorts(programs[host].inputs, programs[host], program.inputs, program) ||
        !SamePorts(programs[host].outputs, programs[host], program.outputs, program))
      return Refuse(program, "its programs have different inputs or outputs", diagnostic);
  }
  return {};
}

}  // namespace linnet
