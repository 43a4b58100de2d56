// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "flatbuffers/flatbuffers.h"
#include "schema/plan_generated.h"

namespace linnet {

// Checks that a plan's structure is a FlatBuffer of schema::Plan, like the generated verifier, but
// in time linear in its size. In an untrusted plan many tables may refer to the same list, which
// the generated verifier, and code that copies lists, would visit once per table. This class counts
// the bytes of a list or string each time that a table refers to it, and allows no more bytes in
// total than the structure has; it limits the number of tables in the same way. The converter never
// shares lists.
class StructureVerifier {
 public:
  explicit StructureVerifier(std::span<const uint8_t> structure);
  bool Verify();

 private:
  using Table = flatbuffers::Table;
  using Field = flatbuffers::voffset_t;

  bool Count(int64_t bytes);
  bool CountText(const flatbuffers::String* text);
  bool Text(const Table& table, Field field);
  template <typename Element>
  bool List(const Table& table, Field field);
  bool Texts(const Table& table, Field field);
  template <typename Generated>
  bool Tables(const Table& table, Field field);
  template <typename Generated>
  bool Tables(const Table& table, Field field, bool (StructureVerifier::*verify)(const Table&));
  bool Plan(const Table& table);
  bool StatesAndSymbols(const schema::Plan& plan);
  bool Ports(const flatbuffers::Vector<flatbuffers::Offset<schema::Port>>* ports);
  bool TextsOfProgram(const schema::Program& program);
  bool Program(const Table& table);
  bool Region(const Table& table);
  bool Step(const Table& table);

  std::span<const uint8_t> structure_;
  flatbuffers::Verifier verifier_;
  int64_t bytes_left_;
};

}  // namespace linnet
