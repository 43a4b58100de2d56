// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/structure_verifier.h"

namespace linnet {

using flatbuffers::Offset;
using flatbuffers::Vector;

namespace {

constexpr uint32_t kMaxDepth = 16;
// The least bytes of a table together with the offset that refers to it.
constexpr size_t kLeastTableBytes = 8;

}  // namespace

StructureVerifier::StructureVerifier(std::span<const uint8_t> structure)
    : structure_(structure),
      verifier_(structure.data(), structure.size(), kMaxDepth,
                static_cast<uint32_t>(structure.size() / kLeastTableBytes + 16)),
      bytes_left_(static_cast<int64_t>(structure.size())) {}

bool StructureVerifier::Verify() {
  // The root's offset, the identifier, and at least one more byte.
  if (structure_.size() <= 2 * sizeof(flatbuffers::uoffset_t) ||
      !flatbuffers::BufferHasIdentifier(structure_.data(), schema::PlanIdentifier()))
    return false;
  const flatbuffers::uoffset_t root = verifier_.VerifyOffset(0);
  return root != 0 && Plan(*reinterpret_cast<const Table*>(structure_.data() + root));
}

bool StructureVerifier::Count(int64_t bytes) {
  bytes_left_ -= bytes;
  return bytes_left_ >= 0;
}

bool StructureVerifier::CountText(const flatbuffers::String* text) {
  return text == nullptr || Count(int64_t{text->size()} + 5);
}

bool StructureVerifier::Text(const Table& table, Field field) {
  if (!table.VerifyOffset(verifier_, field)) return false;
  const auto* text = table.GetPointer<const flatbuffers::String*>(field);
  return verifier_.VerifyString(text) && CountText(text);
}

template <typename Element>
bool StructureVerifier::List(const Table& table, Field field) {
  if (!table.VerifyOffset(verifier_, field)) return false;
  const auto* list = table.GetPointer<const Vector<Element>*>(field);
  return verifier_.VerifyVector(list) &&
         (list == nullptr || Count(int64_t{list->size()} * int64_t{sizeof(Element)} + 4));
}

bool StructureVerifier::Texts(const Table& table, Field field) {
  using Strings = Vector<Offset<flatbuffers::String>>;
  if (!List<Offset<flatbuffers::String>>(table, field)) return false;
  const auto* texts = table.GetPointer<const Strings*>(field);
  if (!verifier_.VerifyVectorOfStrings(texts)) return false;
  for (uint32_t i = 0; texts != nullptr && i < texts->size(); ++i)
    if (!CountText(texts->Get(i))) return false;
  return true;
}

// Tables that contain no lists of strings: the generated code verifies them.
template <typename Generated>
bool StructureVerifier::Tables(const Table& table, Field field) {
  return List<Offset<Generated>>(table, field) &&
         verifier_.VerifyVectorOfTables(table.GetPointer<const Vector<Offset<Generated>>*>(field));
}

template <typename Generated>
bool StructureVerifier::Tables(const Table& table, Field field,
                               bool (StructureVerifier::*verify)(const Table&)) {
  if (!List<Offset<Generated>>(table, field)) return false;
  const auto* list = table.GetPointer<const Vector<Offset<Generated>>*>(field);
  for (uint32_t i = 0; list != nullptr && i < list->size(); ++i)
    if (!(this->*verify)(reinterpret_cast<const Table&>(*list->Get(i)))) return false;
  return true;
}

bool StructureVerifier::Plan(const Table& table) {
  using Of = schema::Plan;
  return table.VerifyTableStart(verifier_) && Text(table, Of::VT_PRODUCER) &&
         Texts(table, Of::VT_REQUIRED_FEATURES) && Tables<schema::Weight>(table, Of::VT_WEIGHTS) &&
         Tables<schema::State>(table, Of::VT_STATES) &&
         Tables<schema::Symbol>(table, Of::VT_SYMBOLS) &&
         StatesAndSymbols(reinterpret_cast<const Of&>(table)) &&
         Tables<schema::Program>(table, Of::VT_PROGRAMS, &StructureVerifier::Program) &&
         Text(table, Of::VT_NEEDS_RUNTIME) && verifier_.EndTable();
}

bool StructureVerifier::StatesAndSymbols(const schema::Plan& plan) {
  for (uint32_t i = 0; plan.states() != nullptr && i < plan.states()->size(); ++i)
    if (!CountText(plan.states()->Get(i)->name())) return false;
  for (uint32_t i = 0; plan.symbols() != nullptr && i < plan.symbols()->size(); ++i) {
    const auto* terms = plan.symbols()->Get(i)->terms();
    if (!CountText(plan.symbols()->Get(i)->name())) return false;
    if (terms == nullptr) continue;
    // FlatBuffers checks the alignment of the list's length, not that of its elements.
    const int64_t at = terms->Data() - structure_.data();
    if (at % int64_t{alignof(schema::Term)} != 0 ||
        !Count(int64_t{terms->size()} * int64_t{sizeof(schema::Term)} + 4))
      return false;
  }
  return true;
}

bool StructureVerifier::Ports(const flatbuffers::Vector<Offset<schema::Port>>* ports) {
  for (uint32_t i = 0; ports != nullptr && i < ports->size(); ++i)
    if (!CountText(ports->Get(i)->name()) || !CountText(ports->Get(i)->source())) return false;
  return true;
}

// Counts what the generated code has verified without counting.
bool StructureVerifier::TextsOfProgram(const schema::Program& program) {
  const schema::Signature* signature = program.signature();
  if (signature != nullptr &&
      (!CountText(signature->key()) || !Ports(signature->inputs()) || !Ports(signature->outputs())))
    return false;
  for (uint32_t i = 0; program.spaces() != nullptr && i < program.spaces()->size(); ++i)
    if (!CountText(program.spaces()->Get(i)->device())) return false;
  for (uint32_t i = 0; program.segments() != nullptr && i < program.segments()->size(); ++i) {
    const auto* payload = program.segments()->Get(i)->payload();
    if (payload != nullptr && !Count(int64_t{payload->size()} + 4)) return false;
  }
  return true;
}

bool StructureVerifier::Program(const Table& table) {
  using Of = schema::Program;
  return table.VerifyTableStart(verifier_) && table.VerifyOffset(verifier_, Of::VT_SIGNATURE) &&
         verifier_.VerifyTable(table.GetPointer<const schema::Signature*>(Of::VT_SIGNATURE)) &&
         Text(table, Of::VT_VARIANT) && Texts(table, Of::VT_REQUIRED_FEATURES) &&
         Tables<schema::Tensor>(table, Of::VT_TENSORS) &&
         Tables<schema::Buffer>(table, Of::VT_BUFFERS) &&
         Tables<schema::Region>(table, Of::VT_REGIONS, &StructureVerifier::Region) &&
         Tables<schema::Segment>(table, Of::VT_SEGMENTS) &&
         Tables<schema::Space>(table, Of::VT_SPACES) &&
         table.VerifyField<int32_t>(verifier_, Of::VT_NAMED_AFTER, alignof(int32_t)) &&
         TextsOfProgram(reinterpret_cast<const Of&>(table)) && verifier_.EndTable();
}

bool StructureVerifier::Region(const Table& table) {
  using Of = schema::Region;
  return table.VerifyTableStart(verifier_) && List<int32_t>(table, Of::VT_ARGUMENTS) &&
         List<int32_t>(table, Of::VT_RESULTS) &&
         Tables<schema::Step>(table, Of::VT_STEPS, &StructureVerifier::Step) &&
         verifier_.EndTable();
}

bool StructureVerifier::Step(const Table& table) {
  using Of = schema::Step;
  return table.VerifyTableStart(verifier_) &&
         table.VerifyField<uint16_t>(verifier_, Of::VT_OP, alignof(uint16_t)) &&
         List<uint8_t>(table, Of::VT_ATTRS) && List<int32_t>(table, Of::VT_INPUTS) &&
         List<int32_t>(table, Of::VT_OUTPUTS) && Texts(table, Of::VT_SOURCES) &&
         table.VerifyField<uint8_t>(verifier_, Of::VT_CONTROL, alignof(uint8_t)) &&
         List<int32_t>(table, Of::VT_REGIONS) &&
         List<schema::AttrExtent>(table, Of::VT_ATTR_EXTENTS) &&
         List<schema::SetSymbol>(table, Of::VT_SETS) &&
         table.VerifyField<int32_t>(verifier_, Of::VT_NAMED_AFTER, alignof(int32_t)) &&
         table.VerifyField<int32_t>(verifier_, Of::VT_SCRATCH, alignof(int32_t)) &&
         verifier_.EndTable();
}

}  // namespace linnet
