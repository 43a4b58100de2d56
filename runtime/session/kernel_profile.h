// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/core/diagnostic.h"
#include "runtime/core/region.h"
#include "runtime/session/backend.h"

namespace linnet {

// What a kernel profile must have been measured with to be of use.
struct KernelMachine {
  const char* cpu = "";
  const char* instructions = "";
  const char* kernels = "";
  int threads = 1;
};

// Which backend runs a step of some kind faster, as somebody measured it on this machine
// (runtime/tools/README.md has the format).
class KernelProfile {
 public:
  // Reads all of `text`, which may contain anything and is not needed afterwards. `backends` are
  // all that it may name. The table comes from `region`, at most 64 bytes for each line. After an
  // error, which the diagnostic explains with the number of the line, the profile is empty.
  // kInvalidArgument: it is damaged, or no profile. kUnsupported: it was measured on another
  // machine, with another number of threads, or is of another version. kNoMemory.
  [[gnu::cold]] static Status Read(std::string_view text, const KernelMachine& machine,
                                   std::span<const Backend* const> backends, Region& region,
                                   KernelProfile* profile, Diagnostic* diagnostic);
  // The faster backend for the step that `op` describes, whose attributes the plan has as `attrs`
  // (step_kind.h); null when the profile does not have such a step.
  [[gnu::cold]] static const Backend* Find(const KernelProfile& profile, const OpInstance& op,
                                           std::span<const uint8_t> attrs);
  int size() const { return size_; }

 private:
  struct Row {
    uint64_t hash = 0;                 // of the kind
    const Backend* backend = nullptr;  // null: free
  };
  [[gnu::cold]] Row& RowOf(uint64_t hash) const;
  [[gnu::cold]] bool Insert(std::string_view kind, const Backend& backend);
  friend class KernelProfileParser;

  std::span<Row> rows_;  // a hash table, at least half of it free
  int size_ = 0;
};

// What a program needs that may be given kernel profiles.
struct KernelProfileFunctions {
  decltype(&KernelProfile::Read) read;
  decltype(&KernelProfile::Find) find;
};
extern const KernelProfileFunctions kKernelProfileFunctions;

// &kKernelProfileFunctions, or null where no step has a choice: in a library without XNNPACK, and
// in programs that were linked for their plans. A program may define it itself, as the tables of
// ops (runtime/ops/linked_ops.h).
extern const KernelProfileFunctions* const kLinkedKernelProfile;

}  // namespace linnet
