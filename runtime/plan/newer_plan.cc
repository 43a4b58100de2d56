// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/newer_plan.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/plan/file_header.h"
#include "runtime/plan/releases.h"
#include "schema/plan_generated.h"

namespace linnet {
namespace {

constexpr size_t kMaxConverter = 40, kMaxRelease = 12;
constexpr int kMaxReason = 120;

bool IsNewer(const FileHeader& header) {
  if (std::memcmp(header.magic, kPlanMagic, sizeof(kPlanMagic)) != 0) return false;
  return header.major > kSchemaMajor ||
         (header.major == kSchemaMajor && header.minor > kSchemaMinor);
}

// What a plan says of its making, as printable ASCII; "" where it says nothing.
struct Making {
  char converter[kMaxConverter + 1] = "";
  char release[kMaxRelease + 1] = "";
};

// Copies the field `field` of `plan`, cut off to `capacity` characters, or nothing when it is no
// string inside the structure.
void CopyText(const flatbuffers::Table& plan, flatbuffers::voffset_t field, size_t capacity,
              const flatbuffers::Verifier& verifier, char* out) {
  if (!plan.VerifyOffset(verifier, field)) return;
  const auto* text = plan.GetPointer<const flatbuffers::String*>(field);
  if (text == nullptr || !verifier.VerifyString(text)) return;
  const size_t length = std::min<size_t>(text->size(), capacity);
  for (size_t i = 0; i < length; ++i) {
    const char c = text->c_str()[i];
    out[i] = c >= ' ' && c <= '~' ? c : '?';
  }
  out[length] = '\0';
}

bool IsRelease(const char* text) {
  return *text != '\0' && text[std::strspn(text, "0123456789.")] == '\0';
}

// Of all fields, only those that every version of the schema keeps where they are
// (schema/README.md).
Making MakingOf(std::span<const std::byte> structure, Region& region) {
  Making making;
  // FlatBuffers reads aligned memory.
  auto* copy = static_cast<uint8_t*>(region.Allocate(static_cast<int64_t>(structure.size())));
  if (copy == nullptr || structure.empty()) return making;
  std::memcpy(copy, structure.data(), structure.size());
  flatbuffers::Verifier verifier(copy, structure.size());
  const flatbuffers::uoffset_t root = verifier.VerifyOffset(0);
  if (root == 0) return making;
  const auto& plan = *reinterpret_cast<const flatbuffers::Table*>(copy + root);
  if (!plan.VerifyTableStart(verifier)) return making;
  CopyText(plan, schema::Plan::VT_PRODUCER, kMaxConverter, verifier, making.converter);
  CopyText(plan, schema::Plan::VT_NEEDS_RUNTIME, kMaxRelease, verifier, making.release);
  if (!IsRelease(making.release)) making.release[0] = '\0';
  return making;
}

void Explain(const Making& making, const Status& refused, Diagnostic* diagnostic) {
  const Diagnostic before = *diagnostic;
  const bool has_release = making.release[0] != '\0';
  diagnostic->Format("%.*s; %s wrote the plan, which needs %s%s; this is release %.*s", kMaxReason,
                     before.TextOr(refused.what()),
                     making.converter[0] != '\0' ? making.converter : "a newer converter",
                     has_release ? "the runtime of release " : "a newer runtime", making.release,
                     static_cast<int>(kThisRelease.name.size()), kThisRelease.name.data());
}

}  // namespace

Status ExplainNewer(std::span<const std::byte> file, const Status& refused, Region& region,
                    Diagnostic* diagnostic) {
  FileHeader header;
  if (refused.ok() || file.size() < sizeof(header)) return refused;
  std::memcpy(&header, file.data(), sizeof(header));
  const bool may_be_version = refused.code() == StatusCode::kVersion ||
                              refused.code() == StatusCode::kUnsupported ||
                              refused.code() == StatusCode::kInvalidPlan;
  if (!IsNewer(header) || !may_be_version || header.file_bytes != file.size()) return refused;
  if (diagnostic != nullptr &&
      Inside(header.structure_offset, header.structure_bytes, file.size()) &&
      header.structure_bytes <= FLATBUFFERS_MAX_BUFFER_SIZE)
    Explain(MakingOf(file.subspan(header.structure_offset, header.structure_bytes), region),
            refused, diagnostic);
  return {StatusCode::kVersion, "the plan was written by a newer converter", refused.step()};
}

}  // namespace linnet
