// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "flatbuffers/flatbuffers.h"
#include "runtime/core/table_layout.h"

namespace linnet {

// Checks that untrusted bytes are a FlatBuffer, like the verifiers that flatc generates, but in
// time linear in their size. Many tables may refer to the same list, which generated verifiers, and
// code that copies lists, would visit once per table. This class counts the bytes of a list or
// string each time that a table refers to it, and allows no more bytes in total than there are; it
// limits the number of tables in the same way. The converter never shares lists. The elements of
// lists are aligned, which generated verifiers do not check.
class StructureVerifier {
 public:
  // `structure` must lie at a multiple of 8.
  explicit StructureVerifier(std::span<const uint8_t> structure);
  // For a root table with these fields (kTableLayout). `identifier` may be null.
  bool Verify(TableLayout root, const char* identifier);

 private:
  bool Count(uint64_t bytes);
  bool Lies(size_t at, size_t bytes, size_t alignment) const;
  bool Table(size_t at, TableLayout fields);
  bool Value(size_t at, const FieldLayout& layout);
  bool Text(size_t at);
  bool List(size_t at, const FieldLayout& element);

  std::span<const uint8_t> structure_;
  flatbuffers::Verifier verifier_;
  uint64_t bytes_left_;
};

}  // namespace linnet
