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

// The shards of one group as one run of bytes.
class Shards {
 public:
  void Add(OwnedBytes shard) {
    starts_.push_back(size_);
    size_ += static_cast<int64_t>(shard.bytes.size());
    shards_.push_back(std::move(shard));
  }
  int64_t size() const { return size_; }

  // Bytes [offset, offset + size), which are there.
  OwnedBytes Slice(int64_t offset, int64_t size) const {
    size_t first = 0;
    while (first + 1 < starts_.size() && starts_[first + 1] <= offset) ++first;
    if (shards_.empty() || size == 0) return {};
    const int64_t in_first = offset - starts_[first];
    if (in_first + size <= static_cast<int64_t>(shards_[first].bytes.size()))
      return PartOf(shards_[first], shards_[first].bytes.subspan(static_cast<size_t>(in_first),
                                                                 static_cast<size_t>(size)));
    auto joined = std::make_shared<std::vector<std::byte>>();
    joined->reserve(static_cast<size_t>(size));
    for (size_t i = first; static_cast<int64_t>(joined->size()) < size; ++i) {
      const auto from = static_cast<size_t>(i == first ? in_first : 0);
      const size_t count =
          std::min(shards_[i].bytes.size() - from, static_cast<size_t>(size) - joined->size());
      const auto part = shards_[i].bytes.subspan(from, count);
      joined->insert(joined->end(), part.begin(), part.end());
    }
    return {*joined, joined};
  }

 private:
  std::vector<OwnedBytes> shards_;
  std::vector<int64_t> starts_;
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

// Bytes of a string tensor: for each element its length and its bytes. -1 when they are not all
// there.
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

class GroupReader {
 public:
  GroupReader(const Shards& shards, TfjsWeights* weights, Problems* problems)
      : shards_(shards), weights_(*weights), problems_(*problems) {}

  // False when the offsets of everything behind this weight are lost.
  bool Read(const tf::TfjsWeight& weight) {
    const auto fail = [&](std::string reason) {
      problems_.Add({weight.name(), "weight", std::move(reason), ""});
      return false;
    };
    TfjsWeight result{.value = {}, .dtype = weight.dtype()};
    Constant& value = result.value;
    if (weight.shape_size() > kMaxRank)
      return fail(fmt::format("has rank {}, above {}", weight.shape_size(), kMaxRank));
    for (const int64_t dim : weight.shape()) value.type.shape.Append(dim);
    int64_t elements = 0;
    if (!value.type.shape.NumElementsChecked(&elements)) return fail("has an impossible shape");
    value.type.dtype = DTypeOfName(weight.dtype());
    int64_t bytes = -1;
    if (weight.dtype() == "string") {
      bytes = StringBytes(shards_, offset_, elements);
    } else {
      int64_t width = weight.dtype() == "complex64" ? 8 : DTypeBytes(value.type.dtype);
      if (width == 0) return fail(fmt::format("has the unknown dtype '{}'", weight.dtype()));
      if (weight.has_quantization() && !ReadQuantization(weight, &value, &width)) return false;
      bytes = elements * width;  // at most 2^40 times 8
    }
    if (bytes < 0 || bytes > shards_.size() - offset_)
      return fail(
          fmt::format("ends behind the weights files, which hold {} bytes", shards_.size()));
    OwnedBytes slice = shards_.Slice(offset_, bytes);
    offset_ += bytes;
    value.bytes = slice.bytes;
    value.owner = std::move(slice.owner);
    if (value.encoding != Encoding::Plain && value.type.dtype == DType::kInt32) {
      value = DecodeIntegers(value);
    }
    if (!weights_.emplace(weight.name(), std::move(result)).second)
      problems_.Add({weight.name(), "weight", "is in the manifest twice", ""});
    return true;
  }
  int64_t offset() const { return offset_; }

 private:
  bool ReadQuantization(const tf::TfjsWeight& weight, Constant* value, int64_t* width) {
    const tf::TfjsWeight::Quantization& q = weight.quantization();
    const auto fail = [&](std::string reason) {
      problems_.Add({weight.name(), "weight", std::move(reason), ""});
      return false;
    };
    if (value->type.dtype != DType::kFloat32 && value->type.dtype != DType::kInt32)
      return fail(fmt::format("is quantised, which {} cannot be", weight.dtype()));
    if (q.dtype() == "float16") {
      if (value->type.dtype != DType::kFloat32) return fail("is int32 stored as float16");
      value->encoding = Encoding::Float16;
      *width = 2;
      return true;
    }
    if (q.dtype() != "uint8" && q.dtype() != "uint16")
      return fail(fmt::format("has the unknown quantisation '{}'", q.dtype()));
    if (!q.has_min() || !q.has_scale()) return fail("is quantised without min or scale");
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

TfjsWeights ReadTfjsWeights(const tf::TfjsModel& model, const WeightsLoader& load,
                            Problems* problems) {
  TfjsWeights weights;
  std::set<std::filesystem::path> seen;
  for (const tf::TfjsWeightsGroup& group : model.weights_manifest()) {
    Shards shards;
    bool complete = true;
    for (const std::string& path : group.paths()) {
      // Each is there once for all groups: else a few lines would make gigabytes out of one.
      if (!seen.insert(std::filesystem::path(path).lexically_normal()).second) {
        problems->Add(
            {"", "", fmt::format("weights file '{}' is in the manifest twice", path), ""});
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

namespace {

// Every element of a plain constant, cast.
template <typename From, typename To>
Constant Cast(const Constant& value, DType dtype) {
  const Constant plain = value.Plain();
  void* data = nullptr;
  Constant cast = Constant::Allocate({dtype, value.type.shape}, &data);
  std::transform(plain.as<From>().begin(), plain.as<From>().end(), static_cast<To*>(data),
                 [](From element) { return static_cast<To>(element); });
  return cast;
}

Constant ToHalf(const Constant& value) {
  const Constant plain = value.Plain();
  void* data = nullptr;
  Constant half = Constant::Allocate({DType::kFloat16, value.type.shape}, &data);
  std::transform(plain.as<float>().begin(), plain.as<float>().end(), static_cast<uint16_t*>(data),
                 FloatToHalf);
  return half;
}

}  // namespace

Constant RestoreDType(const Constant& value, DType dtype) {
  if (value.type.dtype == DType::kFloat32) {
    if (dtype == DType::kFloat64) return Cast<float, double>(value, dtype);
    if (dtype == DType::kFloat16) return ToHalf(value);
  }
  if (value.type.dtype == DType::kInt32) {
    if (dtype == DType::kInt64) return Cast<int32_t, int64_t>(value, dtype);
    if (dtype == DType::kInt16) return Cast<int32_t, int16_t>(value, dtype);
    if (dtype == DType::kUint16) return Cast<int32_t, uint16_t>(value, dtype);
    if (dtype == DType::kInt8) return Cast<int32_t, int8_t>(value, dtype);
    if (dtype == DType::kUint8) return Cast<int32_t, uint8_t>(value, dtype);
  }
  return value;
}

}  // namespace linnet::converter
