// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "flatbuffers/flatbuffers.h"
#include "runtime/plan/plan_view.h"

// Helpers to read a plan's tables after FlatBuffers' verifier has accepted them, but before their
// values are checked.
namespace linnet::plan_tables {

Status Bad(Diagnostic* diagnostic, const char* what, int64_t program, const char* kind,
           int64_t index);

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

// Makes the type of a tensor or state whose dtype and rank have been checked, and finds its bytes.
// False when it has too many elements.
bool ReadType(schema::DType dtype, const flatbuffers::Vector<int64_t>* shape, TensorType* type,
              int64_t* bytes);

}  // namespace linnet::plan_tables
