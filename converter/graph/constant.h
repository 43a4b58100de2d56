// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "runtime/core/shape.h"
#include "schema/plan_generated.h"

namespace linnet::converter {

// An immutable tensor value: a view of bytes that lie in the mapped model file or in memory of
// their own. `owner` keeps those bytes alive; copies share it and are cheap.
struct Constant {
  TensorType type;  // of the decoded value, for example f32 where the bytes are f16
  // How `bytes` encode the elements. Only f32 values may be other than Plain (tfjs weights).
  schema::Encoding encoding = schema::Encoding::Plain;
  schema::Affine affine;  // of AffineU8 and AffineU16
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;

  // A plain constant over `values`, which it keeps.
  template <typename T>
  static Constant Of(Shape shape, std::vector<T> values) {
    auto kept = std::make_shared<std::vector<T>>(std::move(values));
    return {
        {DTypeOf<T>(), shape}, schema::Encoding::Plain, {}, std::as_bytes(std::span(*kept)), kept};
  }
  // A plain constant of `type` with zeroed, 64-byte aligned bytes of its own, which the caller
  // fills in through *data before it passes the constant on.
  static Constant Allocate(const TensorType& type, void** data);

  // The same value in plain encoding and 64-byte aligned: a view of the same bytes if possible.
  Constant Plain() const;

  // Elements, for plain constants whose dtype is T's and whose bytes are aligned (see Plain()).
  template <typename T>
  std::span<const T> as() const {
    LINNET_DCHECK(encoding == schema::Encoding::Plain && type.dtype == DTypeOf<T>());
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  // The elements of a small integer tensor (i32, i64; also u8, i8, bool), widened.
  std::vector<int64_t> ToInt64() const;
  // The only element of a one-element constant of any numeric dtype, as double.
  double ScalarValue() const;
  // Same type, encoding and bytes.
  bool SameAs(const Constant& other) const;
};

}  // namespace linnet::converter
