// SPDX-License-Identifier: Apache-2.0
#include "converter/import/checkpoint/tensor_bundle.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/import/checkpoint/crc32c.h"
#include "converter/import/raw_graph.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr int kMaxShards = 100'000;  // five digits in a file's name
constexpr int kVersion = 1;          // kTensorBundleVersion

absl::Status About(const std::string& key, absl::StatusCode code, const std::string& what) {
  return absl::Status(code, fmt::format("checkpoint tensor '{}': {}", key, what));
}
absl::Status Bad(const std::string& key, const std::string& what) {
  return About(key, absl::StatusCode::kInvalidArgument, what);
}
absl::Status Because(const std::string& key, const absl::Status& status) {
  return About(key, status.code(), std::string(status.message()));
}

// --- OrderedCode: an encoding whose bytes sort like the values.

void AppendNumber(uint64_t value, std::string* key) {
  const int bytes = (static_cast<int>(std::bit_width(value)) + 7) / 8;
  key->push_back(static_cast<char>(bytes));
  for (int i = bytes; i-- > 0;) key->push_back(static_cast<char>(value >> (8 * i)));
}

void AppendString(std::string_view text, std::string* key) {
  for (const char c : text) {
    key->push_back(c);
    if (c == '\0') key->push_back('\xff');
    if (c == '\xff') key->push_back('\0');
  }
  key->append({'\0', '\1'});
}

// As many leading one bits as there are bytes, then the number, 7 bits of it per byte.
void AppendSigned(int64_t value, std::string* key) {
  const uint64_t magnitude =
      value < 0 ? ~static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const int length = static_cast<int>(std::bit_width(magnitude)) / 7 + 1;
  unsigned char buffer[10];
  buffer[0] = buffer[1] = value < 0 ? 0xff : 0;
  for (int i = 0; i < 8; ++i)
    buffer[2 + i] = static_cast<unsigned char>(static_cast<uint64_t>(value) >> (56 - 8 * i));
  unsigned char* const begin = buffer + 10 - length;
  const unsigned header = 0xffffu << (16 - length);  // `length` ones of 16 bits
  begin[0] ^= static_cast<unsigned char>(header >> 8);
  if (length >= 2) begin[1] ^= static_cast<unsigned char>(header);
  key->append(reinterpret_cast<const char*>(begin), static_cast<size_t>(length));
}

// --- Shapes and slices.

absl::StatusOr<Shape> ShapeOf(const std::string& key, const tf::BundleEntryProto& entry) {
  if (entry.shape().dim_size() > kMaxRank) return Bad(key, "too many dimensions");
  const auto is_unknown = [](const auto& dim) { return dim.size() < 0; };
  if (entry.shape().unknown_rank() || std::ranges::any_of(entry.shape().dim(), is_unknown))
    return Bad(key, "its shape is not known");
  const std::optional<Shape> shape = StaticShape(entry.shape());
  if (!shape) return Bad(key, "its shape overflows");
  return *shape;
}

TensorSlice FromProto(const tf::TensorSliceProto& proto) {
  TensorSlice slice;
  for (const auto& extent : proto.extent()) {
    slice.start.push_back(extent.start());
    slice.length.push_back(
        extent.has_length_case() == tf::TensorSliceProto::Extent::kLength ? extent.length() : -1);
  }
  return slice;
}

// Replaces what is implied by numbers; false when the slice does not lie in `shape`.
bool Resolve(const Shape& shape, TensorSlice* slice) {
  if (slice->start.empty()) {
    slice->start.assign(shape.rank(), 0);
    slice->length.assign(shape.rank(), -1);
  }
  if (std::ssize(slice->start) != shape.rank()) return false;
  for (int i = 0; i < shape.rank(); ++i) {
    const int64_t start = slice->start[i];
    int64_t& length = slice->length[i];
    if (start < 0 || start > shape[i]) return false;
    if (length == -1) length = shape[i] - start;
    if (length < 0 || length > shape[i] - start) return false;
  }
  return true;
}

// The intersection of two resolved slices; false when it is empty.
bool Intersect(const TensorSlice& a, const TensorSlice& b, TensorSlice* both) {
  *both = a;
  for (size_t i = 0; i < a.start.size(); ++i) {
    both->start[i] = std::max(a.start[i], b.start[i]);
    both->length[i] = std::min(a.start[i] + a.length[i], b.start[i] + b.length[i]) - both->start[i];
    if (both->length[i] <= 0) return false;
  }
  return true;
}

// Copies the elements `part` of a tensor from one slice of it into another.
void CopyPart(const TensorSlice& part, const TensorSlice& from, const std::byte* source,
              const TensorSlice& to, std::byte* target, int64_t width) {
  const size_t rank = part.start.size();
  std::vector<int64_t> at(rank, 0);
  const int64_t run = rank == 0 ? width : part.length[rank - 1] * width;
  while (true) {
    int64_t source_index = 0, target_index = 0;
    for (size_t i = 0; i < rank; ++i) {
      source_index = source_index * from.length[i] + part.start[i] + at[i] - from.start[i];
      target_index = target_index * to.length[i] + part.start[i] + at[i] - to.start[i];
    }
    std::memcpy(target + target_index * width, source + source_index * width, run);
    size_t i = rank < 2 ? 0 : rank - 1;  // the last dimension is in the run
    for (; i > 0; --i) {
      if (++at[i - 1] < part.length[i - 1]) break;
      at[i - 1] = 0;
    }
    if (i == 0) return;
  }
}

absl::Status CheckSum(const std::string& key, const tf::BundleEntryProto& entry, uint32_t got) {
  const uint32_t stored = UnmaskCrc(entry.crc32c());
  if (got == stored) return absl::OkStatus();
  return About(key, absl::StatusCode::kDataLoss,
               fmt::format("Checksum does not match: stored {} vs. calculated on the restored "
                           "bytes {}",
                           stored, got));
}

}  // namespace

std::string SliceKey(std::string_view name, const TensorSlice& slice) {
  std::string key;
  AppendNumber(0, &key);
  AppendString(name, &key);
  AppendNumber(slice.start.size(), &key);
  for (size_t i = 0; i < slice.start.size(); ++i) {
    AppendSigned(slice.start[i], &key);
    AppendSigned(slice.length[i], &key);
  }
  return key;
}

absl::StatusOr<std::unique_ptr<TensorBundle>> TensorBundle::Open(std::span<const std::byte> index,
                                                                 ShardLoader load) {
  auto entries = ReadSortedTable(index);
  if (!entries.ok()) return entries.status();
  auto bundle = std::make_unique<TensorBundle>();
  bundle->entries_ = *std::move(entries);
  bundle->load_ = std::move(load);
  tf::BundleHeaderProto header;
  const auto it = bundle->entries_.find("");
  if (it == bundle->entries_.end() || !header.ParseFromString(it->second))
    return absl::InvalidArgumentError("the checkpoint's index has no header");
  bundle->entries_.erase(it);
  if (header.endianness() != tf::BundleHeaderProto::LITTLE)
    return absl::UnimplementedError(
        "the checkpoint was written by a big-endian machine; save it again on another");
  if (header.version().producer() < 0)
    return absl::InvalidArgumentError(
        fmt::format("the checkpoint was written by version {}, which never existed",
                    header.version().producer()));
  if (std::ranges::count(header.version().bad_consumers(), kVersion) > 0)
    return absl::UnimplementedError(fmt::format(
        "the checkpoint must not be read by readers of version {}; save it again", kVersion));
  if (header.version().min_consumer() > kVersion)
    return absl::UnimplementedError(
        fmt::format("the checkpoint needs a reader of version {}, this one is of version {}",
                    header.version().min_consumer(), kVersion));
  if (header.num_shards() < 0 || header.num_shards() > kMaxShards)
    return absl::InvalidArgumentError(
        fmt::format("the checkpoint has {} data files", header.num_shards()));
  bundle->num_shards_ = header.num_shards();
  return bundle;
}

std::vector<std::string> TensorBundle::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : entries_)
    if (!key.starts_with('\0')) keys.push_back(key);
  return keys;
}

absl::StatusOr<tf::BundleEntryProto> TensorBundle::Entry(const std::string& key) const {
  const auto it = entries_.find(key);
  if (it == entries_.end())
    return About(key, absl::StatusCode::kNotFound, "the checkpoint does not have it");
  tf::BundleEntryProto entry;
  if (!entry.ParseFromString(it->second)) return Bad(key, "its entry in the index is damaged");
  return entry;
}

absl::StatusOr<OwnedBytes> TensorBundle::Stored(const std::string& key,
                                                const tf::BundleEntryProto& entry) const {
  if (entry.shard_id() < 0 || entry.shard_id() >= num_shards_)
    return Bad(key, fmt::format("is in data file {} of {}", entry.shard_id(), num_shards_));
  auto shard = shards_.find(entry.shard_id());
  if (shard == shards_.end()) {
    absl::StatusOr<OwnedBytes> file = load_(entry.shard_id(), num_shards_);
    if (!file.ok()) return Because(key, file.status());
    shard = shards_.emplace(entry.shard_id(), *std::move(file)).first;
  }
  const OwnedBytes& file = shard->second;
  const auto file_size = static_cast<int64_t>(file.bytes.size());
  if (entry.offset() < 0 || entry.size() < 0 || entry.offset() > file_size ||
      entry.size() > file_size - entry.offset())
    return Bad(key, fmt::format("has {} bytes at {}, but data file {} ends at {}", entry.size(),
                                entry.offset(), entry.shard_id(), file_size));
  return PartOf(file, file.bytes.subspan(static_cast<size_t>(entry.offset()),
                                         static_cast<size_t>(entry.size())));
}

absl::StatusOr<Constant> TensorBundle::ReadWhole(const std::string& key,
                                                 const tf::BundleEntryProto& entry) const {
  const absl::StatusOr<Shape> shape = ShapeOf(key, entry);
  if (!shape.ok()) return shape.status();
  if (ToDType(entry.dtype()) == DType::kInvalid)
    return About(key, absl::StatusCode::kUnimplemented,
                 fmt::format("its element type {} is not possible", DataTypeString(entry.dtype())));
  int64_t expected = 0;
  if (__builtin_mul_overflow(shape->num_elements(), StoredBytes(entry.dtype()), &expected) ||
      entry.size() != expected)
    return Bad(key,
               fmt::format("Invalid size in bundle entry: key {}; stored size {}; expected size {}",
                           key, entry.size(), expected));
  absl::StatusOr<OwnedBytes> bytes = Stored(key, entry);
  if (!bytes.ok()) return bytes.status();
  if (absl::Status s = CheckSum(key, entry, Crc32c(bytes->bytes)); !s.ok()) return s;
  RawTensor raw;
  raw.proto.set_dtype(entry.dtype());
  *raw.proto.mutable_tensor_shape() = entry.shape();
  raw.content = *std::move(bytes);
  int64_t constant_room = 0;  // there are no values to expand
  absl::StatusOr<Constant> value = ConstantFromTensor(std::move(raw), &constant_room);
  if (!value.ok()) return Because(key, value.status());
  return value;
}

absl::StatusOr<Constant> TensorBundle::Read(const std::string& key,
                                            const TensorSlice& slice) const {
  const absl::StatusOr<tf::BundleEntryProto> entry = Entry(key);
  if (!entry.ok()) return entry.status();
  const absl::StatusOr<Shape> shape = ShapeOf(key, *entry);
  if (!shape.ok()) return shape.status();
  TensorSlice wanted = slice;
  if (!Resolve(*shape, &wanted)) return Bad(key, "the requested slice lies outside of it");
  if (entry->slices().empty() && Shape(wanted.length) == *shape) return ReadWhole(key, *entry);
  return Assemble(key, *entry, *shape, wanted);
}

absl::StatusOr<Constant> TensorBundle::Assemble(const std::string& key,
                                                const tf::BundleEntryProto& entry,
                                                const Shape& shape,
                                                const TensorSlice& wanted) const {
  const DType dtype = ToDType(entry.dtype());
  if (dtype == DType::kInvalid)
    return About(key, absl::StatusCode::kUnimplemented, "its element type is not possible");
  struct Part {
    TensorSlice slice, common;
    Constant value;
  };
  std::vector<Part> parts;
  int64_t covered = 0;
  const int stored = std::max(entry.slices_size(), 1);
  for (int i = 0; i < stored; ++i) {
    Part part;
    std::string part_key = key;
    if (!entry.slices().empty()) {
      part.slice = FromProto(entry.slices(i));
      part_key = SliceKey(key, part.slice);
    }
    if (!Resolve(shape, &part.slice)) return Bad(key, "one of its slices lies outside of it");
    if (!Intersect(part.slice, wanted, &part.common)) continue;
    absl::StatusOr<tf::BundleEntryProto> part_entry = Entry(part_key);
    if (!part_entry.ok()) return Bad(key, fmt::format("its slice {} is missing", i));
    absl::StatusOr<Constant> value = ReadWhole(key, *part_entry);
    if (!value.ok()) return value.status();
    part.value = *std::move(value);
    if (part.value.type.shape != Shape(part.slice.length) || part_entry->dtype() != entry.dtype())
      return Bad(key, fmt::format("its slice {} has another shape or type", i));
    if (part.common.length == wanted.length && part.slice.length == wanted.length)
      return part.value;
    covered += Shape(part.common.length).num_elements();
    parts.push_back(std::move(part));
  }
  const Shape result(wanted.length);
  // No saver writes slices that overlap or share their bytes. Such slices could make a small file
  // stand for a huge tensor.
  int64_t available = 0;
  for (const auto& [index, file] : shards_) available += std::ssize(file.bytes);
  if (covered != result.num_elements() || covered > available / DTypeBytes(dtype))
    return Bad(key, "its slices do not make up all of it");
  void* data = nullptr;
  Constant value = Constant::Allocate({dtype, result}, &data);
  for (const Part& part : parts)
    CopyPart(part.common, part.slice, part.value.bytes.data(), wanted,
             static_cast<std::byte*>(data), DTypeBytes(dtype));
  return value;
}

absl::StatusOr<std::string> TensorBundle::ReadString(const std::string& key) const {
  const absl::StatusOr<tf::BundleEntryProto> entry = Entry(key);
  if (!entry.ok()) return entry.status();
  if (entry->dtype() != tf::DT_STRING || entry->shape().dim_size() != 0)
    return Bad(key, "is not a string");
  const absl::StatusOr<OwnedBytes> bytes = Stored(key, *entry);
  if (!bytes.ok()) return bytes.status();
  // The length, its checksum, then the characters.
  constexpr size_t kCrcBytes = 4;
  std::span<const std::byte> rest = bytes->bytes;
  const std::optional<uint64_t> length = TakeVarint(&rest);
  if (!length || rest.size() < kCrcBytes || *length != rest.size() - kCrcBytes)
    return Bad(key, "its length is wrong");
  // TensorFlow's checksum is that of the length as a number of 32 bits (64 for large ones) and of
  // everything behind the stored length.
  std::vector<std::byte> fixed(*length > UINT32_MAX ? 8 : 4);
  for (size_t i = 0; i < fixed.size(); ++i) fixed[i] = static_cast<std::byte>(*length >> (8 * i));
  if (absl::Status s = CheckSum(key, *entry, Crc32c(rest, Crc32c(fixed))); !s.ok()) return s;
  return std::string(AsText(rest.subspan(kCrcBytes)));
}

}  // namespace linnet::converter
