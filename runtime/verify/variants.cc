// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/variants.h"

#include <algorithm>
#include <cstring>

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

Status CheckVariants(const PlanView& view, const Region& region, Diagnostic* diagnostic) {
  const size_t count = view.programs.size();
  for (size_t i = 1; i < count; ++i)
    if (view.programs[i].variant == Variant::kHost &&
        view.programs[i - 1].variant != Variant::kHost)
      return Refuse(view.programs[i], "the host's programs must come before all others",
                    diagnostic);
  Region temporary(region.allocator());
  auto** sorted = temporary.New<const PlanProgram*>(static_cast<int64_t>(count));
  if (sorted == nullptr) return kNoMemoryToVerify;
  for (size_t i = 0; i < count; ++i) sorted[i] = &view.programs[i];
  std::sort(sorted, sorted + count, [](const PlanProgram* a, const PlanProgram* b) {
    const int order = std::strcmp(a->key, b->key);
    return order != 0 ? order < 0 : a->variant < b->variant;
  });
  // Of each signature, the first is the host's.
  const PlanProgram* host = nullptr;
  for (size_t i = 0; i < count; ++i) {
    const bool begins = host == nullptr || std::strcmp(host->key, sorted[i]->key) != 0;
    if (begins && sorted[i]->variant != Variant::kHost)
      return Refuse(*sorted[i], "it has no program for the host", diagnostic);
    if (begins) {
      host = sorted[i];
      continue;
    }
    const PlanProgram& other = *sorted[i];
    if (sorted[i - 1]->variant == other.variant)
      return Refuse(other, "two programs are of the same variant", diagnostic);
    if (!SamePorts(host->inputs, *host, other.inputs, other) ||
        !SamePorts(host->outputs, *host, other.outputs, other))
      return Refuse(other, "its programs have different inputs or outputs", diagnostic);
  }
  return {};
}

}  // namespace linnet
