// SPDX-License-Identifier: Apache-2.0
#include "converter/import/tfjs_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmt/format.h"

namespace linnet::converter {
namespace {

Constant View(DType dtype, const Shape& shape, const MappedFile& bytes,
              schema::Encoding encoding = schema::Encoding::Plain, schema::Affine affine = {}) {
  return {{dtype, shape}, encoding, affine, bytes.bytes, bytes.owner};
}

// tfjs: floor(q * scale + min + 0.5).
template <typename T>
Constant DecodeInt32(const TfjsWeight& weight, const MappedFile& stored) {
  void* data = nullptr;
  Constant constant = Constant::Allocate({DType::kInt32, weight.shape}, &data);
  const int64_t count = weight.shape.num_elements();
  for (int64_t i = 0; i < count; ++i) {
    T q;
    std::memcpy(&q, stored.bytes.data() + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    const double value =
        std::floor(q * weight.quantization->scale + weight.quantization->min + 0.5);
    static_cast<int32_t*>(data)[i] =
        static_cast<int32_t>(std::clamp(value, -2147483648.0, 2147483647.0));
  }
  return constant;
}

absl::StatusOr<MappedFile> TakeElements(const TfjsWeight& weight, int64_t element_bytes,
                                        ShardReader* reader) {
  int64_t bytes;
  if (!CheckedMul(weight.shape.num_elements(), element_bytes, &bytes))
    return absl::InvalidArgumentError("weight is too large");
  return reader->Take(bytes);
}

absl::StatusOr<Constant> ReadQuantized(const TfjsWeight& weight, ShardReader* reader) {
  const TfjsQuantization& q = *weight.quantization;
  const bool half = q.dtype == "float16", wide = q.dtype == "uint16";
  if (!half && !wide && q.dtype != "uint8")
    return absl::InvalidArgumentError(fmt::format("quantization dtype '{}' is unknown", q.dtype));
  absl::StatusOr<MappedFile> stored = TakeElements(weight, half || wide ? 2 : 1, reader);
  if (!stored.ok()) return stored.status();
  if (weight.dtype == "int32" && !half)
    return wide ? DecodeInt32<uint16_t>(weight, *stored) : DecodeInt32<uint8_t>(weight, *stored);
  if (weight.dtype != "float32")
    return absl::InvalidArgumentError(
        fmt::format("a {} weight cannot be quantised as {}", weight.dtype, q.dtype));
  if (half)
    return View(DType::kFloat32, weight.shape, *stored, schema::Encoding::Float16);
  return View(DType::kFloat32, weight.shape, *stored,
              wide ? schema::Encoding::AffineU16 : schema::Encoding::AffineU8,
              schema::Affine(q.scale, q.min));
}

// Strings: a length of four bytes in front of each. No graph we run computes with them.
absl::StatusOr<Constant> SkipStrings(const TfjsWeight& weight, ShardReader* reader) {
  const int64_t count = weight.shape.num_elements();
  for (int64_t i = 0; i < count; ++i) {
    absl::StatusOr<MappedFile> prefix = reader->Take(4);
    if (!prefix.ok()) return prefix.status();
    uint32_t length;
    std::memcpy(&length, prefix->bytes.data(), sizeof(length));
    if (absl::StatusOr<MappedFile> text = reader->Take(length); !text.ok()) return text.status();
  }
  return Constant{{DType::kInvalid, weight.shape}, {}, {}, {}, nullptr};
}

}  // namespace

void ShardReader::Add(MappedFile shard) {
  if (!shard.bytes.empty()) shards_.push_back(std::move(shard));
}

absl::StatusOr<MappedFile> ShardReader::Take(int64_t bytes) {
  auto left = static_cast<size_t>(bytes);
  size_t available = 0;
  for (size_t i = shard_; i < shards_.size() && available < left + offset_; ++i)
    available += shards_[i].bytes.size();
  if (available < left + offset_)
    return absl::OutOfRangeError(
        fmt::format("the weight files end {} bytes too early", left + offset_ - available));
  if (left == 0) return MappedFile{};
  if (offset_ == shards_[shard_].bytes.size()) {
    ++shard_;
    offset_ = 0;
  }
  const MappedFile& current = shards_[shard_];
  if (left <= current.bytes.size() - offset_) {
    const MappedFile view{current.bytes.subspan(offset_, left), current.owner};
    offset_ += left;
    return view;
  }
  auto copy = std::make_shared<std::vector<std::byte>>();
  copy->reserve(left);
  while (left > 0) {
    if (offset_ == shards_[shard_].bytes.size()) {
      ++shard_;
      offset_ = 0;
    }
    const size_t piece = std::min(left, shards_[shard_].bytes.size() - offset_);
    const auto part = shards_[shard_].bytes.subspan(offset_, piece);
    copy->insert(copy->end(), part.begin(), part.end());
    offset_ += piece;
    left -= piece;
  }
  return MappedFile{*copy, copy};
}

absl::StatusOr<Constant> ReadWeight(const TfjsWeight& weight, ShardReader* reader) {
  if (weight.quantization) return ReadQuantized(weight, reader);
  if (weight.dtype == "string") return SkipStrings(weight, reader);
  DType dtype = DType::kInvalid;
  int64_t element_bytes = 0;
  if (weight.dtype == "float32") dtype = DType::kFloat32, element_bytes = 4;
  else if (weight.dtype == "int32") dtype = DType::kInt32, element_bytes = 4;
  else if (weight.dtype == "bool") dtype = DType::kBool, element_bytes = 1;
  else if (weight.dtype == "complex64") element_bytes = 8;
  else return absl::InvalidArgumentError(fmt::format("weight dtype '{}' is unknown", weight.dtype));
  absl::StatusOr<MappedFile> stored = TakeElements(weight, element_bytes, reader);
  if (!stored.ok()) return stored.status();
  return View(dtype, weight.shape, *stored);
}

}  // namespace linnet::converter
