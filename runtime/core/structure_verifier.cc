// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/structure_verifier.h"

namespace linnet {
namespace {

using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

constexpr uoffset_t kMaxDepth = 16;
// The least bytes of a table together with the offset that refers to it.
constexpr size_t kLeastTableBytes = 8;

}  // namespace

StructureVerifier::StructureVerifier(std::span<const uint8_t> structure)
    : structure_(structure),
      verifier_(structure.data(), structure.size(), kMaxDepth,
                static_cast<uoffset_t>(structure.size() / kLeastTableBytes + 16)),
      bytes_left_(structure.size()) {}

bool StructureVerifier::Verify(TableLayout root, const char* identifier) {
  // The identifier follows the root's offset.
  if (identifier != nullptr && (structure_.size() < 2 * sizeof(uoffset_t) ||
                                !flatbuffers::BufferHasIdentifier(structure_.data(), identifier)))
    return false;
  const uoffset_t at = verifier_.VerifyOffset(0);
  return at != 0 && Table(at, root);
}

bool StructureVerifier::Count(uint64_t bytes) {
  if (bytes > bytes_left_) return false;
  bytes_left_ -= bytes;
  return true;
}

bool StructureVerifier::Lies(size_t at, size_t bytes, size_t alignment) const {
  return verifier_.VerifyAlignment(at, alignment) && verifier_.Verify(at, bytes);
}

bool StructureVerifier::Table(size_t at, TableLayout fields) {
  const uint8_t* data = structure_.data() + at;
  if (!verifier_.VerifyTableStart(data)) return false;
  // The vtable is inside the structure now. A table of an older schema lacks the last fields.
  const uint8_t* vtable = reinterpret_cast<const flatbuffers::Table*>(data)->GetVTable();
  const auto end = flatbuffers::ReadScalar<voffset_t>(vtable);
  voffset_t slot = flatbuffers::FieldIndexToOffset(0);
  for (size_t i = 0; i < fields.size() && slot < end; i += 1 + fields[i].inner) {
    const auto offset = flatbuffers::ReadScalar<voffset_t>(vtable + slot);
    if (offset != 0 && !Value(at + offset, fields[i])) return false;
    slot += sizeof(voffset_t);
  }
  return verifier_.EndTable();
}

bool StructureVerifier::Value(size_t at, const FieldLayout& layout) {
  if (layout.kind == FieldLayout::kPlain) return Lies(at, layout.bytes, layout.alignment);
  const uoffset_t offset = verifier_.VerifyOffset(at);
  if (offset == 0) return false;
  at += offset;
  const FieldLayout* inner = &layout + 1;
  if (layout.kind == FieldLayout::kTable) return Table(at, {inner, layout.inner});
  return layout.kind == FieldLayout::kText ? Text(at) : List(at, *inner);
}

bool StructureVerifier::Text(size_t at) {
  const auto* text = reinterpret_cast<const flatbuffers::String*>(structure_.data() + at);
  return verifier_.VerifyString(text) && Count(uint64_t{text->size()} + sizeof(uoffset_t) + 1);
}

bool StructureVerifier::List(size_t at, const FieldLayout& element) {
  if (!Lies(at, sizeof(uoffset_t), sizeof(uoffset_t))) return false;
  const auto size = flatbuffers::ReadScalar<uoffset_t>(structure_.data() + at);
  const uint64_t bytes = uint64_t{size} * element.bytes;
  if (!Count(sizeof(uoffset_t) + bytes)) return false;  // so `bytes` is not too large for size_t
  at += sizeof(uoffset_t);
  if (size == 0) return true;
  if (!Lies(at, static_cast<size_t>(bytes), element.alignment)) return false;
  if (element.kind == FieldLayout::kPlain) return true;
  for (uoffset_t i = 0; i < size; ++i)
    if (!Value(at + size_t{i} * element.bytes, element)) return false;
  return true;
}

}  // namespace linnet
