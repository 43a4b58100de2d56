// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/constant.h"

#include <cstdlib>

#include "converter/graph/element_type.h"
#include "runtime/core/encoding.h"
#include "runtime/core/half.h"
#include "runtime/core/unaligned.h"

namespace linnet::converter {
namespace {

constexpr size_t kAlignment = 64;

bool Aligned(std::span<const std::byte> bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment == 0;
}

// fn(element) for every element of a plain constant, whatever its dtype and alignment; f16 come as
// their bits in a uint16_t.
template <typename Fn>
void ForEach(const Constant& value, const Fn& fn) {
  WithElementType(value.type.dtype, [&]<typename T>(T) {
    const auto count = static_cast<int64_t>(value.bytes.size() / sizeof(T));
    for (int64_t i = 0; i < count; ++i) fn(LoadElement<T>(value.bytes.data(), i));
  });
}

}  // namespace

Constant Constant::Allocate(const TensorType& type, void** data) {
  const auto size = static_cast<size_t>(type.bytes());
  const size_t rounded = AlignUp(std::max<size_t>(size, 1), kAlignment);
  std::shared_ptr<void> block(std::aligned_alloc(kAlignment, rounded), std::free);
  if (block == nullptr) throw std::bad_alloc();
  std::memset(block.get(), 0, rounded);
  *data = block.get();
  const std::span bytes(static_cast<const std::byte*>(block.get()), size);
  return {type, schema::Encoding::Plain, {}, bytes, std::move(block)};
}

Constant Constant::Plain() const {
  if (encoding == schema::Encoding::Plain && Aligned(bytes)) return *this;
  if (type.dtype == DType::kInvalid) return *this;
  void* data = nullptr;
  Constant result = Allocate(type, &data);
  if (encoding != schema::Encoding::Plain)
    DecodeElements(encoding, affine, bytes.data(), type.shape.num_elements(),
                   static_cast<float*>(data));
  else if (!bytes.empty())
    std::memcpy(data, bytes.data(), bytes.size());
  return result;
}

std::vector<int64_t> Constant::ToInt64() const {
  LINNET_DCHECK(encoding == schema::Encoding::Plain && !IsFloat(type.dtype));
  std::vector<int64_t> result;
  ForEach(*this, [&](auto element) { result.push_back(static_cast<int64_t>(element)); });
  return result;
}

double Constant::ScalarValue() const {
  const Constant plain = Plain();
  LINNET_DCHECK(plain.type.dtype != DType::kInvalid &&
                plain.bytes.size() == static_cast<size_t>(DTypeBytes(plain.type.dtype)));
  if (plain.type.dtype == DType::kFloat16)
    return HalfToFloat(LoadElement<uint16_t>(plain.bytes.data(), 0));
  double result = 0;
  ForEach(plain, [&](auto element) { result = static_cast<double>(element); });
  return result;
}

bool Constant::SameAs(const Constant& other) const {
  if (type != other.type || encoding != other.encoding || bytes.size() != other.bytes.size())
    return false;
  if (affine.scale() != other.affine.scale() || affine.min() != other.affine.min()) return false;
  return bytes.empty() || bytes.data() == other.bytes.data() ||
         std::memcmp(bytes.data(), other.bytes.data(), bytes.size()) == 0;
}

}  // namespace linnet::converter
