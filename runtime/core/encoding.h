// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "runtime/core/dtype.h"
#include "runtime/core/panels.h"
#include "runtime/core/shape.h"
#include "schema/plan_generated.h"

namespace linnet {

// How the bytes of a weight become elements of its tensor: one row for each schema::Encoding. All
// but Plain are for f32 tensors.
struct EncodingRow {
  DType stored;    // dtype of the elements in the file; kInvalid: that of the tensor
  bool is_affine;  // f32 = float(double(stored) * scale + minimum), as in tfjs
  bool is_panels;  // in the order of core/panels.h instead of row-major order
};

inline constexpr EncodingRow kEncodings[] = {
    {DType::kInvalid, false, false}, {DType::kFloat16, false, false},
    {DType::kUint8, true, false},    {DType::kUint16, true, false},
    {DType::kFloat32, false, true},  {DType::kFloat16, false, true},
    {DType::kUint8, true, true},     {DType::kUint16, true, true},
};
// In reports.
inline constexpr const char* kEncodingNames[] = {
    "plain",    "float16",          "affine_u8",          "affine_u16",
    "panels16", "panels16_float16", "panels16_affine_u8", "panels16_affine_u16",
};
static_assert(std::size(kEncodings) == static_cast<size_t>(schema::Encoding::MAX) + 1 &&
              std::size(kEncodingNames) == std::size(kEncodings));

// REQUIRES: an encoding that exists.
constexpr const char* EncodingName(schema::Encoding encoding) {
  return kEncodingNames[static_cast<size_t>(encoding)];
}
constexpr bool IsAffine(schema::Encoding encoding) {
  return kEncodings[static_cast<size_t>(encoding)].is_affine;
}
constexpr bool IsPanels(schema::Encoding encoding) {
  return kEncodings[static_cast<size_t>(encoding)].is_panels;
}
// Whether there is an encoding of the same elements in panels.
constexpr bool HasPanels(schema::Encoding encoding) {
  return encoding < schema::Encoding::Panels16;
}
// That encoding. REQUIRES: HasPanels.
constexpr schema::Encoding InPanels(schema::Encoding encoding) {
  return static_cast<schema::Encoding>(static_cast<int>(encoding) +
                                       static_cast<int>(schema::Encoding::Panels16));
}
static_assert(InPanels(schema::Encoding::AffineU16) == schema::Encoding::Panels16AffineU16);
constexpr DType StoredDType(DType dtype, schema::Encoding encoding) {
  return encoding == schema::Encoding::Plain ? dtype
                                             : kEncodings[static_cast<size_t>(encoding)].stored;
}

// Bytes that a dense tensor of `type` takes in the file.
int64_t EncodedBytes(const TensorType& type, schema::Encoding encoding);

// Decodes `count` elements from `stored` (any alignment) to `out`, in the order in which they are
// stored. Any encoding but Plain.
void DecodeElements(schema::Encoding encoding, const schema::Affine& affine, const void* stored,
                    int64_t count, float* out);
// Decodes a tensor of `shape` from `stored` (any alignment) to `out`, in row-major order. Any
// encoding but Plain.
void DecodeTensor(schema::Encoding encoding, const schema::Affine& affine, const Shape& shape,
                  const void* stored, float* out);

}  // namespace linnet
