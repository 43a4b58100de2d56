// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "flatbuffers/flatbuffers.h"

// What the fields of a FlatBuffers table are, as an array that StructureVerifier reads. flatc's own
// verifiers are code for each table, several times as large.
namespace linnet {

// One value: a field of a table, or an element of a list.
struct FieldLayout {
  enum Kind : uint8_t { kPlain, kText, kList, kTable };  // all but kPlain are offsets to elsewhere
  Kind kind;
  uint8_t bytes, alignment;  // where it lies, not where it refers to
  // How many entries after this one belong to it: the fields of a table, in order, each followed by
  // what belongs to that field; or the element of a list.
  uint8_t inner = 0;
};

// The fields of a table, in the form of FieldLayout::inner.
using TableLayout = std::span<const FieldLayout>;

namespace table_layout {

template <typename T>
struct Type {};

template <size_t... sizes>
constexpr auto Join(const std::array<FieldLayout, sizes>&... parts) {
  std::array<FieldLayout, (sizes + ... + 0)> all{};
  size_t at = 0;
  ((std::copy(parts.begin(), parts.end(), all.begin() + at), at += sizes), ...);
  return all;
}

template <size_t size>
constexpr auto Reference(FieldLayout::Kind kind, const std::array<FieldLayout, size>& inner) {
  static_assert(size <= UINT8_MAX);
  constexpr uint8_t kBytes = sizeof(flatbuffers::uoffset_t);
  return Join(std::array{FieldLayout{kind, kBytes, kBytes, size}}, inner);
}

template <typename T>
constexpr auto Plain() {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= UINT8_MAX);
  FieldLayout layout{FieldLayout::kPlain, sizeof(T), sizeof(T)};
  if constexpr (std::is_class_v<T>) layout.alignment = alignof(T);
  return std::array{layout};
}

// By the parameters of the function that flatc generates to create a table, one for each field.
// Such a parameter or element is a scalar, a pointer to a struct, or the offset of a string, a list
// or a table.
template <typename T>
constexpr auto Of(Type<T>) {
  return Plain<T>();
}
template <typename T>
constexpr auto Of(Type<const T*>) {
  return Plain<T>();
}
constexpr auto Of(Type<flatbuffers::Offset<flatbuffers::String>>) {
  return Reference(FieldLayout::kText, std::array<FieldLayout, 0>());
}
template <typename T>
constexpr auto Of(Type<flatbuffers::Offset<flatbuffers::Vector<T>>>) {
  return Reference(FieldLayout::kList, Of(Type<T>()));
}
template <typename Table, typename Builder, typename... Fields>
constexpr auto OfTable(flatbuffers::Offset<Table> (*)(Builder&, Fields...)) {
  return Join(Of(Type<Fields>())...);
}
template <typename Table>
constexpr auto Of(Type<flatbuffers::Offset<Table>>) {
  return Reference(FieldLayout::kTable, OfTable(Table::Traits::Create));
}

}  // namespace table_layout

// The fields of a generated table.
template <typename Table>
inline constexpr auto kTableLayout = table_layout::OfTable(Table::Traits::Create);

}  // namespace linnet
