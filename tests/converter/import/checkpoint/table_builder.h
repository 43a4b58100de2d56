// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "converter/import/checkpoint/crc32c.h"
#include "converter/import/checkpoint/tensor_bundle.h"
#include "schema/tensorflow/tensor_bundle.pb.h"

// Writes checkpoints in TensorFlow's format; tests then damage them.
namespace linnet::converter {

inline uint32_t MaskedCrc(const std::string& bytes) {
  const uint32_t crc = Crc32c(std::as_bytes(std::span(bytes)));
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

inline void AppendFixed(uint64_t value, int width, std::string* out) {
  for (int i = 0; i < width; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

inline void AppendVarint(uint64_t value, std::string* out) {
  for (; value > 0x7f; value >>= 7) out->push_back(static_cast<char>((value & 0x7f) | 0x80));
  out->push_back(static_cast<char>(value));
}

// A block of entries, each of them a restart point.
inline std::string TableBlock(const std::map<std::string, std::string>& entries) {
  std::string block, restarts;
  for (const auto& [key, value] : entries) {
    AppendFixed(block.size(), 4, &restarts);
    for (const uint64_t size : {size_t{0}, key.size(), value.size()}) AppendVarint(size, &block);
    block += key + value;
  }
  block += restarts;
  AppendFixed(entries.size(), 4, &block);
  return block;
}

// A table. With compression 1, `pack` compresses the block of entries.
inline std::string Table(const std::map<std::string, std::string>& entries, char compression = 0,
                         std::string (*pack)(const std::string&) = nullptr) {
  std::string file;
  const auto append = [&file](std::string block, char type) {
    std::string handle;
    AppendVarint(file.size(), &handle);
    AppendVarint(block.size(), &handle);
    block.push_back(type);
    AppendFixed(MaskedCrc(block), 4, &block);
    file += block;
    return handle;
  };
  const std::string block = TableBlock(entries);
  const std::string data = append(pack == nullptr ? block : pack(block), compression);
  const std::string meta = append(TableBlock({}), 0);
  const std::string last = entries.empty() ? "" : entries.rbegin()->first;
  std::string footer = meta + append(TableBlock({{last, data}}), 0);
  footer.resize(40, '\0');
  AppendFixed(0xdb4775248b80fb57u, 8, &footer);
  return file + footer;
}

// A checkpoint with one data file.
struct BundleBuilder {
  std::map<std::string, std::string> entries = {{"", Header(1)}};
  std::string data;

  static std::string Header(int shards) {
    tf::BundleHeaderProto header;
    header.set_num_shards(shards);
    header.mutable_version()->set_producer(1);
    return header.SerializeAsString();
  }
  template <typename T>
  tf::BundleEntryProto Entry(tf::DataType dtype, const std::vector<int64_t>& shape,
                             const std::vector<T>& values) {
    tf::BundleEntryProto entry;
    entry.set_dtype(dtype);
    for (const int64_t dim : shape) entry.mutable_shape()->add_dim()->set_size(dim);
    entry.set_offset(static_cast<int64_t>(data.size()));
    const std::string bytes(reinterpret_cast<const char*>(values.data()),
                            values.size() * sizeof(T));
    entry.set_size(static_cast<int64_t>(bytes.size()));
    entry.set_crc32c(MaskedCrc(bytes));
    data += bytes;
    return entry;
  }
  void Put(const std::string& key, const tf::BundleEntryProto& entry) {
    entries[key] = entry.SerializeAsString();
  }
  absl::StatusOr<std::unique_ptr<TensorBundle>> Open() const {
    const std::string index = Table(entries);
    return TensorBundle::Open(std::as_bytes(std::span(index)),
                              [bytes = data](int, int) -> absl::StatusOr<OwnedBytes> {
                                auto kept = std::make_shared<std::string>(bytes);
                                return OwnedBytes{std::as_bytes(std::span(*kept)), kept};
                              });
  }
};

}  // namespace linnet::converter
