// SPDX-License-Identifier: Apache-2.0
#include "converter/import/tfjs_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "fmt/format.h"
#include "runtime/core/encoding.h"
#include "runtime/core/half.h"

namespace linnet::converter {
namespace {

using schema::Encoding;

// The concatenated shards of one group.
class Shards {
 public:
  void Add(OwnedBytes shard) {
    size_ += std::ssize(shard.bytes);
    shards_.push_back(std::move(shard));
  }
  int64_t size() const { return size_; }

  // Bytes [offset, offset + size), which must exist.
  OwnedBytes Slice(int64_t offset, int64_t size) const {
    if (size == 0) return {};
    auto shard = shards_.begin();
    for (; offset >= std::ssize(shard->bytes); ++shard) offset -= std::ssize(shard->bytes);
    auto from = static_cast<size_t>(offset);
    const auto count = static_cast<size_t>(size);
    if (count <= shard->bytes.size() - from)
      return PartOf(*shard, shard->bytes.subspan(from, count));
    auto joined = std::make_shared<std::vector<std::byte>>();
    joined->reserve(count);
    for (; joined->size() < count; ++shard, from = 0) {
      const auto rest = shard->bytes.subspan(from);
      const auto part = rest.first(std::min(rest.size(), count - joined->size()));
      joined->insert(joined->end(), part.begin(), part.end());
    }
    return {*joined, joined};
  }

 private:
  std::vector<OwnedBytes> shards_;
  int64_t size_ = 0;
};

DType DTypeOfName(const std::string& name) {
  if (name == "float32") return DType::kFloat32;
  if (name == "int32") return DType::kInt32;
  if (name == "bool") return DType::kBool;
  if (name == "uint8") return DType::kUint8;
  if (name == "int8") return DType::kInt8;
  if (name == "int16") return DType::kInt16;
  if (name == "uint16") return DType::kUint16;
  if (name == "float16") return DType::kFloat16;
  if (name == "int64") return DType::kInt64;
  if (name == "float64") return DType::kFloat64;
  return DType::kInvalid;
}

// How many bytes a string tensor takes: for each element its length and its bytes. -1 when some are
// missing.
int64_t StringBytes(const Shards& shards, int64_t offset, int64_t elements) {
  int64_t at = offset;
  for (int64_t i = 0; i < elements; ++i) {
    if (at > shards.size() - 4) return -1;
    uint32_t length = 0;
    std::memcpy(&length, shards.Slice(at, 4).bytes.data(), 4);
    at += 4 + int64_t{length};
    if (at > shards.size()) return -1;
  }
  return at - offset;
}

// int32 = floor(q * scale + min + 0.5)
Constant DecodeIntegers(const Constant& q) {
  const int64_t width = DTypeBytes(StoredDType(q.type.dtype, q.encoding));
  void* data = nullptr;
  Constant value = Constant::Allocate({DType::kInt32, q.type.shape}, &data);
  auto* out = static_cast<int32_t*>(data);
  const auto count = static_cast<int64_t>(q.bytes.size()) / width;
  for (int64_t i = 0; i < count; ++i) {
    uint16_t stored = 0;
    std::memcpy(&stored, q.bytes.data() + i * width, static_cast<size_t>(width));
    const double real = std::floor(stored * q.affine.scale() + q.affine.min() + 0.5);
    out[i] = static_cast<int32_t>(std::clamp(real, -2147483648.0, 2147483647.0));
  }
  return value;
}

// Every element of `value`, decoded and converted.
template <typename From, typename To>
Constant Convert(
    const Constant& value, DType dtype,
    To (*convert)(From) = [](From element) { return static_cast<To>(element); }) {
  const Constant plain = value.Plain();
  void* data = nullptr;
  Constant converted = Constant::Allocate({dtype, value.type.shape}, &data);
  std::ranges::transform(plain.as<From>(), static_cast<To*>(data), convert);
  return converted;
}

class GroupReader {
 public:
  GroupReader(const Shards& shards, TfjsWeights* weights, Problems* problems)
      : shards_(shards), weights_(*weights), problems_(*problems) {}

  // Reads the next weight. False when its end, where the following weights start, is not known.
  bool Read(const tf::TfjsWeight& weight) {
    Constant value;
    if (weight.shape_size() > kMaxRank)
      return Fail(weight, fmt::format("has rank {}, above {}", weight.shape_size(), kMaxRank));
    for (const int64_t dim : weight.shape()) value.type.shape.Append(dim);
    int64_t elements = 0;
    if (!value.type.shape.NumElementsChecked(&elements))
      return Fail(weight, "has an impossible shape");
    value.type.dtype = DTypeOfName(weight.dtype());
    int64_t bytes = -1;
    if (weight.dtype() == "string") {
      bytes = StringBytes(shards_, offset_, elements);
    } else {
      int64_t width = weight.dtype() == "complex64" ? 8 : DTypeBytes(value.type.dtype);
      if (width == 0)
        return Fail(weight, fmt::format("has the unknown dtype '{}'", weight.dtype()));
      if (weight.has_quantization() && !ReadQuantization(weight, &value, &width)) return false;
      bytes = elements * width;  // at most 2^40 times 8
    }
    if (bytes < 0 || bytes > shards_.size() - offset_)
      return Fail(weight, fmt::format("ends behind the weights files, which hold {} bytes",
                                      shards_.size()));
    OwnedBytes slice = shards_.Slice(offset_, bytes);
    offset_ += bytes;
    value.bytes = slice.bytes;
    value.owner = std::move(slice.owner);
    if (value.encoding != Encoding::Plain && value.type.dtype == DType::kInt32)
      value = DecodeIntegers(value);
    if (!weights_.emplace(weight.name(), std::move(value)).second)
      Fail(weight, "is in the manifest twice");
    return true;
  }

 private:
  bool Fail(const tf::TfjsWeight& weight, std::string reason) {
    problems_.Add({weight.name(), "weight", std::move(reason)});
    return false;
  }

  bool ReadQuantization(const tf::TfjsWeight& weight, Constant* value, int64_t* width) {
    const tf::TfjsWeight::Quantization& q = weight.quantization();
    if (value->type.dtype != DType::kFloat32 && value->type.dtype != DType::kInt32)
      return Fail(weight, fmt::format("is quantised, which {} cannot be", weight.dtype()));
    if (q.dtype() == "float16") {
      if (value->type.dtype != DType::kFloat32) return Fail(weight, "is int32 stored as float16");
      value->encoding = Encoding::Float16;
      *width = 2;
      return true;
    }
    if (q.dtype() != "uint8" && q.dtype() != "uint16")
      return Fail(weight, fmt::format("has the unknown quantisation '{}'", q.dtype()));
    if (!q.has_min() || !q.has_scale()) return Fail(weight, "is quantised without min or scale");
    value->encoding = q.dtype() == "uint8" ? Encoding::AffineU8 : Encoding::AffineU16;
    *width = DTypeBytes(StoredDType(value->type.dtype, value->encoding));
    value->affine = schema::Affine(q.scale(), q.min());
    return true;
  }

  const Shards& shards_;
  TfjsWeights& weights_;
  Problems& problems_;
  int64_t offset_ = 0;
};

}  // namespace

TfjsWeights ReadTfjsWeights(const tf::TfjsModel& model, const FileLoader& load,
                            Problems* problems) {
  TfjsWeights weights;
  std::set<std::filesystem::path> seen;
  for (const tf::TfjsWeightsGroup& group : model.weights_manifest()) {
    Shards shards;
    bool complete = true;
    for (const std::string& path : group.paths()) {
      // Otherwise a small manifest could turn one file into gigabytes of weights.
      if (!seen.insert(std::filesystem::path(path).lexically_normal()).second) {
        problems->Add({.reason = fmt::format("weights file '{}' is in the manifest twice", path)});
        complete = false;
        continue;
      }
      absl::StatusOr<OwnedBytes> shard = load(path);
      complete = complete && shard.ok();
      if (shard.ok())
        shards.Add(*std::move(shard));
      else
        problems->Add(shard.status());
    }
    if (!complete) continue;
    GroupReader reader(shards, &weights, problems);
    for (const tf::TfjsWeight& weight : group.weights())
      if (!reader.Read(weight)) break;
  }
  return weights;
}

Constant RestoreDType(const Constant& value, DType dtype) {
  if (value.type.dtype == DType::kFloat32) {
    if (dtype == DType::kFloat64) return Convert<float, double>(value, dtype);
    if (dtype == DType::kFloat16) return Convert<float, uint16_t>(value, dtype, FloatToHalf);
  }
  if (value.type.dtype == DType::kInt32) {
    if (dtype == DType::kInt64) return Convert<int32_t, int64_t>(value, dtype);
    if (dtype == DType::kInt16) return Convert<int32_t, int16_t>(value, dtype);
    if (dtype == DType::kUint16) return Convert<int32_t, uint16_t>(value, dtype);
    if (dtype == DType::kInt8) return Convert<int32_t, int8_t>(value, dtype);
    if (dtype == DType::kUint8) return Convert<int32_t, uint8_t>(value, dtype);
  }
  return value;
}

}  // namespace linnet::converter
