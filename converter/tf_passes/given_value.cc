// SPDX-License-Identifier: Apache-2.0
#include "converter/tf_passes/given_value.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/pass/evaluate_op.h"
#include "fmt/format.h"
#include "runtime/ops/cast.h"

namespace linnet::converter {
namespace {

template <typename T>
bool ParseAll(std::string_view text, T* value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && stop == end;
}

bool ParseElement(std::string_view text, DType dtype, int64_t* value) {
  if (dtype != DType::kBool) return ParseAll(text, value);
  if (text == "true" || text == "True") text = "1";
  if (text == "false" || text == "False") text = "0";
  return ParseAll(text, value) && (*value == 0 || *value == 1);
}

bool ParseElement(std::string_view text, DType /*dtype*/, float* value) {
  return ParseAll(text, value);
}

// The elements of "a,b,c" as a vector.
template <typename T>
absl::StatusOr<Constant> ParseElements(std::string_view text, DType dtype) {
  std::vector<T> elements;
  for (;;) {
    const size_t comma = text.find(',');
    const std::string_view element = text.substr(0, comma);
    if (!ParseElement(element, dtype, &elements.emplace_back()))
      return absl::InvalidArgumentError(fmt::format("'{}' is no {}", element, DTypeName(dtype)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  const Shape shape{static_cast<int64_t>(elements.size())};
  return Constant::Of(shape, std::move(elements));
}

absl::StatusOr<Constant> CastTo(const Constant& value, DType dtype) {
  if (value.type.dtype == dtype) return value;
  OpAttrs attrs(CastAttrs{.dtype = dtype});
  absl::StatusOr<std::vector<Constant>> cast = EvaluateOp(attrs, {&value, 1});
  if (!cast.ok()) return cast.status();
  return std::move(cast->front());
}

// As `dtype`, where that says the same; floats may be rounded to other floats.
absl::StatusOr<Constant> ConvertTo(const Constant& value, DType dtype) {
  absl::StatusOr<Constant> converted = CastTo(value, dtype);
  if (!converted.ok() || (IsFloat(value.type.dtype) && IsFloat(dtype))) return converted;
  const absl::StatusOr<Constant> back = CastTo(*converted, value.type.dtype);
  if (!back.ok()) return back.status();
  if (back->SameAs(value)) return converted;
  return absl::InvalidArgumentError(fmt::format("{} cannot hold all of its elements, which are {}",
                                                DTypeName(dtype), DTypeName(value.type.dtype)));
}

absl::Status DoesNotFit(const PartialShape& given, const PartialShape& declared) {
  return absl::InvalidArgumentError(fmt::format("its shape is {}, but the model says {}",
                                                PartialShapeText(given),
                                                PartialShapeText(declared)));
}

// The shape of a tensor of `count` elements, of which one extent may be open.
absl::StatusOr<std::vector<int64_t>> ShapeOf(int64_t count, const PartialShape& declared) {
  if (!declared) return std::vector<int64_t>{count};
  std::vector<int64_t> dims = *declared;
  int64_t known = 1;
  for (const int64_t dim : dims)
    if (dim >= 0 && __builtin_mul_overflow(known, dim, &known)) known = 0;
  const auto open = std::ranges::count_if(dims, [](int64_t dim) { return dim < 0; });
  if (open == 1 && known > 0 && count % known == 0)
    std::ranges::replace_if(
        dims, [](int64_t dim) { return dim < 0; }, count / known);
  else if (open > 0 || known != count)
    return DoesNotFit(std::vector<int64_t>{count}, declared);
  return dims;
}

// One element everywhere.
absl::StatusOr<Constant> Filled(const Constant& element, const PartialShape& declared,
                                int64_t* room) {
  std::vector<int64_t> dims = declared.value_or(std::vector<int64_t>{});
  std::ranges::replace_if(
      dims, [](int64_t dim) { return dim < 0; }, 1);
  int64_t elements = 0, bytes = 0;
  if (dims.size() > static_cast<size_t>(kMaxRank) || !Shape(dims).NumElementsChecked(&elements) ||
      __builtin_mul_overflow(elements, DTypeBytes(element.type.dtype), &bytes) ||
      (room != nullptr && bytes > *room))
    return absl::ResourceExhaustedError(
        fmt::format("a tensor of shape {} is too large for a constant", PartialShapeText(dims)));
  if (room != nullptr) *room -= bytes;
  void* data = nullptr;
  Constant filled = Constant::Allocate({element.type.dtype, Shape(dims)}, &data);
  for (int64_t i = 0; i < elements; ++i)
    std::memcpy(static_cast<std::byte*>(data) + i * element.bytes.size(), element.bytes.data(),
                element.bytes.size());
  return filled;
}

}  // namespace

absl::StatusOr<Constant> GivenValue(const FixedTensor& fixed, DType dtype,
                                    const PartialShape& declared, int64_t* room) {
  absl::StatusOr<Constant> given = fixed.array      ? absl::StatusOr<Constant>(*fixed.array)
                                   : IsFloat(dtype) ? ParseElements<float>(fixed.text, dtype)
                                                    : ParseElements<int64_t>(fixed.text, dtype);
  if (given.ok()) given = ConvertTo(*given, dtype);
  if (!given.ok()) return given;
  const Shape& shape = given->type.shape;
  if (fixed.array) {
    const PartialShape dims(std::vector<int64_t>(shape.begin(), shape.end()));
    return Agree(dims, declared) ? given : DoesNotFit(dims, declared);
  }
  if (shape.num_elements() == 1) return Filled(*given, declared, room);
  const absl::StatusOr<std::vector<int64_t>> dims = ShapeOf(shape.num_elements(), declared);
  if (!dims.ok()) return dims.status();
  given->type.shape = Shape(*dims);
  return given;
}

}  // namespace linnet::converter
