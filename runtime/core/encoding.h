// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "runtime/core/dtype.h"
#include "runtime/core/shape.h"
#include "schema/plan_generated.h"

namespace linnet {

// How the bytes of a weight become elements of its tensor: one row for each schema::Encoding. All
// but Plain are for f32 tensors.
struct EncodingRow {
  char name[12];   // in reports
  DType stored;    // dtype of the elements in the file; kInvalid: that of the tensor
  bool is_affine;  // f32 = float(double(stored) * scale + minimum), as in tfjs
};

inline constexpr EncodingRow kEncodings[] = {
    {"plain", DType::kInvalid, false},
    {"float16", DType::kFloat16, false},
    {"affine_u8", DType::kUint8, true},
    {"affine_u16", DType::kUint16, true},
};
static_assert(std::size(kEncodings) == static_cast<size_t>(schema::Encoding::MAX) + 1);

// REQUIRES: an encoding that exists.
constexpr const char* EncodingName(schema::Encoding encoding) {
  return kEncodings[static_cast<size_t>(encoding)].name;
}
constexpr bool IsAffine(schema::Encoding encoding) {
  return kEncodings[static_cast<size_t>(encoding)].is_affine;
}
constexpr DType StoredDType(DType dtype, schema::Encoding encoding) {
  return encoding == schema::Encoding::Plain ? dtype
                                             : kEncodings[static_cast<size_t>(encoding)].stored;
}

// Bytes that a dense tensor of `type` takes in the file.
inline int64_t EncodedBytes(const TensorType& type, schema::Encoding encoding) {
  return type.shape.num_elements() * DTypeBytes(StoredDType(type.dtype, encoding));
}

// Decodes `count` elements from `stored` (any alignment) to `out`. Any encoding but Plain.
void DecodeElements(schema::Encoding encoding, const schema::Affine& affine, const void* stored,
                    int64_t count, float* out);

}  // namespace linnet
