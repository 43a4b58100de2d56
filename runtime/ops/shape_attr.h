// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "flatbuffers/flatbuffers.h"
#include "runtime/core/shape.h"

namespace linnet {

// Reads a list of numbers in an attribute table, one per dimension. An absent list counts as empty.
// False when there are more than kMaxRank numbers or one is outside [min, max].
template <typename T>
[[nodiscard]] bool ShapeFromAttr(const flatbuffers::Vector<T>* list, int64_t min, int64_t max,
                                 Shape* out) {
  *out = Shape();
  if (list == nullptr) return true;
  if (list->size() > static_cast<uint32_t>(kMaxRank)) return false;
  for (uint32_t i = 0; i < list->size(); ++i) {
    const T value = list->Get(i);
    if (value < min || value > max) return false;
    out->Append(value);
  }
  return true;
}

template <typename T>
flatbuffers::Offset<flatbuffers::Vector<T>> ShapeToAttr(flatbuffers::FlatBufferBuilder& fbb,
                                                        const Shape& shape) {
  T values[kMaxRank];
  for (int i = 0; i < shape.rank(); ++i) values[i] = static_cast<T>(shape[i]);
  return fbb.CreateVector(values, static_cast<size_t>(shape.rank()));
}

// OpDef::set_extent for an op with one attribute that has an entry per dimension.
inline bool SetShapeExtent(Shape* shape, int slot, int64_t value) {
  if (slot < 0 || slot >= shape->rank() || value < 0) return false;
  (*shape)[slot] = value;
  return true;
}

// OpDef::set_extent for an op whose attributes give the height (slot 0) and width (slot 1) of the
// picture that it makes.
template <typename Attrs>
bool SetOutputSize(void* attrs, int slot, int64_t value) {
  if (slot < 0 || slot > 1 || value < 1 || value > std::numeric_limits<int>::max()) return false;
  auto* of_op = static_cast<Attrs*>(attrs);
  (slot == 0 ? of_op->output_h : of_op->output_w) = static_cast<int>(value);
  return true;
}

}  // namespace linnet
