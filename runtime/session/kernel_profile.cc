// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/kernel_profile.h"

#include "runtime/core/format.h"
#include "runtime/core/hash.h"
#include "runtime/core/kernel_profile_words.h"
#include "runtime/session/step_kind.h"

namespace linnet {
namespace {

[[gnu::cold, gnu::noinline]] uint64_t HashOf(std::string_view text) {
  return HashBytes(std::as_bytes(std::span(text.data(), text.size())));
}

// Takes what stands before the first `separator` off the front of `text`, or all of it.
[[gnu::cold]] std::string_view Take(std::string_view* text, char separator) {
  const size_t at = text->find(separator);
  const std::string_view taken = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + 1);
  return taken;
}

[[gnu::cold]] bool TakeWord(std::string_view* text, std::string_view word) {
  if (!text->starts_with(word)) return false;
  text->remove_prefix(word.size());
  return true;
}

// For "%.*s": what a file says may be long.
int Shown(std::string_view text) { return static_cast<int>(text.substr(0, 60).size()); }

}  // namespace

// Goes through the lines of one profile.
class KernelProfileParser {
 public:
  KernelProfileParser(std::string_view text, std::span<const Backend* const> backends,
                      Diagnostic* diagnostic)
      : rest_(text), backends_(backends), diagnostic_(diagnostic) {}

  [[gnu::cold]] Status ReadHead(const KernelMachine& machine) {
    char threads[16];
    FormatText(threads, sizeof(threads), "%d", machine.threads);
    const char* const here[] = {kKernelProfileVersion, machine.cpu, machine.instructions,
                                machine.kernels, threads};
    static_assert(std::size(here) == std::size(kKernelProfileHead));
    for (size_t i = 0; i < std::size(here); ++i) {
      std::string_view line = NextLine();
      const std::string_view word = kKernelProfileHead[i];
      if (!TakeWord(&line, word)) return Damaged("it must begin as a kernel profile does");
      if (line != here[i]) return Foreign(word.data(), line, here[i]);
    }
    return {};
  }

  [[gnu::cold]] Status ReadSteps(KernelProfile* profile) {
    for (;;) {
      std::string_view line = NextLine();
      if (line.starts_with(kKernelProfileComment)) continue;
      if (TakeWord(&line, kKernelProfileEnd)) return ReadEnd(line, profile->size());
      LINNET_RETURN_IF_ERROR(ReadStep(line, profile));
    }
  }

 private:
  std::string_view NextLine() {
    ++line_;
    return Take(&rest_, '\n');
  }

  Status ReadEnd(std::string_view count, int steps) {
    char expected[16];
    FormatText(expected, sizeof(expected), "%d", steps);
    if (count == expected && rest_.empty()) return {};
    return Damaged("it must end with the number of its steps");
  }

  // The faster backend, the times of all, which are for people, and the kind.
  Status ReadStep(std::string_view line, KernelProfile* profile) {
    const std::string_view name = Take(&line, kKernelProfileTab);
    Take(&line, kKernelProfileTab);
    if (line.empty()) return Damaged("it is cut off, or this is no step");
    for (const Backend* backend : backends_) {
      if (name != backend->name()) continue;
      return profile->Insert(line, *backend) ? Status() : Damaged("the step is there twice");
    }
    return Damaged("there is no such backend");
  }

  Status Damaged(const char* why) {
    if (diagnostic_ != nullptr) diagnostic_->Format("the kernel profile, line %d: %s", line_, why);
    return {StatusCode::kInvalidArgument, "the kernel profile is damaged"};
  }

  Status Foreign(const char* word, std::string_view there, const char* here) {
    if (diagnostic_ != nullptr)
      diagnostic_->Format(
          "the kernel profile was made with %s%.*s, and this is %s%s: measure again (linnet-run "
          "--measure-kernels)",
          word, Shown(there), there.data(), word, here);
    return {StatusCode::kUnsupported, "the kernel profile was measured on another machine"};
  }

  std::string_view rest_;
  std::span<const Backend* const> backends_;
  Diagnostic* diagnostic_;
  int line_ = 0;
};

Status KernelProfile::Read(std::string_view text, const KernelMachine& machine,
                           std::span<const Backend* const> backends, Region& region,
                           KernelProfile* profile, Diagnostic* diagnostic) {
  *profile = {};
  KernelProfileParser parser(text, backends, diagnostic);
  LINNET_RETURN_IF_ERROR(parser.ReadHead(machine));
  size_t lines = 1, rows = 2;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  while (rows < lines * 2) rows *= 2;
  profile->rows_ = {region.New<Row>(static_cast<int64_t>(rows)), rows};
  if (profile->rows_.data() == nullptr)
    return {StatusCode::kNoMemory, "out of memory for a kernel profile"};
  const Status status = parser.ReadSteps(profile);
  if (!status.ok()) *profile = {};
  return status;
}

// The row of the step, or the free one where it belongs.
KernelProfile::Row& KernelProfile::RowOf(uint64_t hash) const {
  size_t at = hash & (rows_.size() - 1);
  while (rows_[at].backend != nullptr && rows_[at].hash != hash) at = (at + 1) & (rows_.size() - 1);
  return rows_[at];
}

bool KernelProfile::Insert(std::string_view kind, const Backend& backend) {
  const uint64_t hash = HashOf(kind);
  Row& row = RowOf(hash);
  if (row.backend != nullptr) return false;
  row = {hash, &backend};
  ++size_;
  return true;
}

const Backend* KernelProfile::Find(const KernelProfile& profile, const OpInstance& op,
                                   std::span<const uint8_t> attrs) {
  char kind[kMaxKindBytes];
  const auto length = static_cast<size_t>(WriteStepKind(op, attrs, kind));
  return length == 0 || profile.size_ == 0 ? nullptr
                                           : profile.RowOf(HashOf({kind, length})).backend;
}

const KernelProfileFunctions kKernelProfileFunctions = {.read = KernelProfile::Read,
                                                        .find = KernelProfile::Find};

}  // namespace linnet
