// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/constant_text.h"

#include "converter/graph/element_type.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/core/encoding.h"
#include "runtime/core/half.h"
#include "runtime/core/unaligned.h"

#define XXH_INLINE_ALL
#include "xxhash.h"

namespace linnet::converter {
namespace {

using schema::Encoding;

std::string ElementText(DType dtype, const std::byte* at) {
  if (dtype == DType::kBool) return LoadElement<uint8_t>(at, 0) != 0 ? "true" : "false";
  if (dtype == DType::kFloat16) return fmt::format("{}", HalfToFloat(LoadElement<uint16_t>(at, 0)));
  return WithElementType(dtype,
                         [at]<typename T>(T) { return fmt::format("{}", LoadElement<T>(at, 0)); });
}

template <typename T>
void Store(T value, std::byte* at) {
  std::memcpy(at, &value, sizeof value);
}

void StoreFloat(DType dtype, double number, std::byte* at) {
  if (dtype == DType::kFloat64) return Store(number, at);
  if (dtype == DType::kFloat16) return Store(FloatToHalf(static_cast<float>(number)), at);
  Store(static_cast<float>(number), at);
}

bool StoreElement(DType dtype, const std::string& text, std::byte* at) {
  if (IsFloat(dtype)) {
    double number = 0;
    if (!ToNumber(text, &number)) return false;
    StoreFloat(dtype, number, at);
    return true;
  }
  if (dtype == DType::kBool) {
    if (text != "true" && text != "false" && text != "0" && text != "1") return false;
    Store<uint8_t>(text == "true" || text == "1", at);
    return true;
  }
  return WithElementType(dtype, [&](auto value) {  // an integer: the other types are done
    const bool is_integer = ToInt(text, &value);
    if (is_integer) Store(value, at);
    return is_integer;
  });
}

// splitmix64: a counter-based generator, so element i does not depend on the others.
uint64_t Random(uint64_t seed, uint64_t i) {
  uint64_t z = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

bool StoreRandom(DType dtype, const ValueSpec& spec, uint64_t i, std::byte* at) {
  const uint64_t random = Random(spec.seed, i);
  if (!IsFloat(dtype))
    return StoreElement(dtype, std::string(1, "01234567"[random % (dtype == DType::kBool ? 2 : 8)]),
                        at);
  const double unit = static_cast<double>(random >> 40) * 0x1p-24;
  StoreFloat(dtype, spec.min + (spec.max - spec.min) * unit, at);
  return true;
}

}  // namespace

std::string TypeText(const TensorType& type) {
  if (type.dtype == DType::kInvalid) return "?";
  return fmt::format("{}[{}]", DTypeName(type.dtype), fmt::join(type.shape.dims(), ","));
}

std::string ValueText(const Constant& value, int max_values) {
  std::string text;
  if (value.encoding != Encoding::Plain)
    text = fmt::format("encoding={} ", schema::EnumNameEncoding(value.encoding));
  if (IsAffine(value.encoding))
    text += fmt::format("scale={} min={} ", value.affine.scale(), value.affine.min());
  const DType dtype = StoredDType(value.type.dtype, value.encoding);
  const int64_t width = DTypeBytes(dtype);
  const auto count = width == 0 ? 0 : static_cast<int64_t>(value.bytes.size()) / width;
  const std::byte* data = value.bytes.data();
  if (count <= max_values) {
    std::vector<std::string> items;
    for (int64_t i = 0; i < count; ++i) items.push_back(ElementText(dtype, data + i * width));
    if (value.type.shape.rank() == 0 && count == 1) return text + items[0];
    return text + fmt::format("{{{}}}", fmt::join(items, ", "));
  }
  // All elements are equal if the bytes equal themselves shifted by one element.
  if (std::memcmp(data, data + width, static_cast<size_t>((count - 1) * width)) == 0)
    return text + "fill=" + ElementText(dtype, data);
  return text +
         fmt::format("hash={:08x}", static_cast<uint32_t>(XXH3_64bits(data, value.bytes.size())));
}

absl::StatusOr<Constant> MakeConstant(const TensorType& type, const ValueSpec& spec) {
  constexpr int64_t kMaxElements = int64_t{1} << 24;  // enough for tests and dumps
  int64_t count = 0;
  if (!type.shape.NumElementsChecked(&count) || count > kMaxElements)
    return absl::InvalidArgumentError("the shape has a negative dimension or too many elements");
  if (spec.encoding != Encoding::Plain && type.dtype != DType::kFloat32)
    return absl::InvalidArgumentError("only f32 constants may be encoded");
  const DType dtype = StoredDType(type.dtype, spec.encoding);
  const int64_t width = DTypeBytes(dtype);
  if (spec.kind == ValueSpec::Kind::kList && static_cast<int64_t>(spec.items.size()) != count)
    return absl::InvalidArgumentError(
        fmt::format("got {} values, want {}", spec.items.size(), count));
  void* data = nullptr;
  Constant value = Constant::Allocate({dtype, type.shape}, &data);
  value.type = type;
  value.encoding = spec.encoding;
  value.affine = spec.affine;
  auto* at = static_cast<std::byte*>(data);
  for (int64_t i = 0; i < count; ++i, at += width) {
    if (spec.kind == ValueSpec::Kind::kSeed) {
      if (!StoreRandom(dtype, spec, static_cast<uint64_t>(i), at))
        return absl::InvalidArgumentError(fmt::format("no random {} exists", DTypeName(dtype)));
    } else if (spec.kind == ValueSpec::Kind::kFill && i > 0) {
      std::memcpy(at, data, static_cast<size_t>(width));
    } else if (const std::string& text = spec.items[static_cast<size_t>(i)];
               !StoreElement(dtype, text, at)) {
      return absl::InvalidArgumentError(fmt::format("'{}' is no {}", text, DTypeName(dtype)));
    }
  }
  return value;
}

}  // namespace linnet::converter
