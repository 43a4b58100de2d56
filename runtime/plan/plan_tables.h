// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "flatbuffers/flatbuffers.h"
#include "runtime/core/unaligned.h"
#include "runtime/plan/plan_view.h"

// Helpers to read a plan's tables after FlatBuffers' verifier has accepted them, but before their
// values are checked.
namespace linnet::plan_tables {

inline Status Bad(Diagnostic* diagnostic, const char* what, int64_t program, const char* kind,
                  int64_t index) {
  if (diagnostic != nullptr)
    diagnostic->Format("program %lld, %s %lld: %s", static_cast<long long>(program), kind,
                       static_cast<long long>(index), what);
  return {StatusCode::kInvalidPlan, what};
}

// FlatBuffers represents absent vectors and strings as null.
template <typename Vector>
int64_t Size(const Vector* vector) {
  return vector == nullptr ? 0 : static_cast<int64_t>(vector->size());
}
inline const char* Text(const flatbuffers::String* string) {
  return string == nullptr ? "" : string->c_str();
}

// A list of structs, not copied.
template <typename Struct>
std::span<const Struct> Structs(const flatbuffers::Vector<const Struct*>* vector) {
  if (vector == nullptr) return {};
  return {reinterpret_cast<const Struct*>(vector->Data()), vector->size()};
}

inline bool IsDType(schema::DType dtype) {
  return dtype != schema::DType::Invalid && DTypeBytes(static_cast<DType>(dtype)) != 0;
}

// Reads dtype and shape of a tensor or state whose dtype and rank have been checked. False when it
// has too many elements.
template <typename Table>
bool ReadType(const Table& table, TensorType* type, int64_t* bytes) {
  type->dtype = static_cast<DType>(table.dtype());
  // FlatBuffers' verifier checks the alignment of a list's length, not that of its elements.
  for (int64_t d = 0; d < Size(table.shape()); ++d)
    type->shape.Append(LoadElement<int64_t>(table.shape()->Data(), d));
  return type->shape.NumElementsChecked(bytes) &&
         CheckedMul(*bytes, DTypeBytes(type->dtype), bytes);
}

}  // namespace linnet::plan_tables
