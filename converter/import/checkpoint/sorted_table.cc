// SPDX-License-Identifier: Apache-2.0
#include "converter/import/checkpoint/sorted_table.h"

#include <snappy.h>

#include <optional>
#include <vector>

#include "converter/import/checkpoint/crc32c.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

using Bytes = std::span<const std::byte>;
using Table = std::map<std::string, std::string, std::less<>>;

constexpr uint64_t kMagic = 0xdb4775248b80fb57u;
constexpr size_t kFooterBytes = 48;
constexpr size_t kTrailerBytes = 5;             // compression, CRC
constexpr size_t kMaxBytes = size_t{64} << 20;  // indices of real models have a few megabytes

uint64_t Fixed(Bytes bytes, size_t width) {
  uint64_t value = 0;
  for (size_t i = width; i-- > 0;) value = value << 8 | static_cast<uint64_t>(bytes[i]);
  return value;
}

absl::Status Damaged(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("not a table, or damaged: {}", what));
}

// Reads from the front of bytes.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::optional<uint64_t> Varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<uint64_t>(bytes_[0]);
      bytes_ = bytes_.subspan(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    return std::nullopt;
  }
  std::optional<std::string_view> Take(uint64_t size) {
    if (size > bytes_.size()) return std::nullopt;
    const std::string_view part(reinterpret_cast<const char*>(bytes_.data()),
                                static_cast<size_t>(size));
    bytes_ = bytes_.subspan(part.size());
    return part;
  }

 private:
  Bytes bytes_;
};

struct Handle {
  uint64_t offset = 0, size = 0;
};

std::optional<Handle> ReadHandle(Reader* reader) {
  const auto offset = reader->Varint(), size = reader->Varint();
  if (!offset || !size) return std::nullopt;
  return Handle{*offset, *size};
}

class TableReader {
 public:
  explicit TableReader(Bytes file) : file_(file) {}

  absl::StatusOr<Table> Read() {
    if (file_.size() < kFooterBytes) return Damaged("it is too short");
    const Bytes footer = file_.last(kFooterBytes);
    if (Fixed(footer.last(8), 8) != kMagic) return Damaged("it does not end as a table does");
    Reader reader(footer.first(kFooterBytes - 8));
    const auto meta = ReadHandle(&reader), index = ReadHandle(&reader);
    if (!meta || !index) return Damaged("its footer");
    std::vector<std::pair<std::string, std::string>> blocks;
    absl::Status status = ReadBlock(*index, [&](std::string key, std::string_view value) {
      blocks.emplace_back(std::move(key), value);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    Table table;
    for (const auto& [last_key, value] : blocks) {
      Reader entry(std::as_bytes(std::span(value)));
      const auto handle = ReadHandle(&entry);
      if (!handle) return Damaged("a block's place");
      status = ReadBlock(*handle, [&](std::string key, std::string_view bytes) {
        if (!table.empty() && key <= table.rbegin()->first) return Damaged("keys are not in order");
        table.emplace_hint(table.end(), std::move(key), bytes);
        return absl::OkStatus();
      });
      if (!status.ok()) return status;
    }
    return table;
  }

 private:
  bool Spend(size_t bytes) {
    if (bytes > bytes_left_) return false;
    bytes_left_ -= bytes;
    return true;
  }

  // Calls fn(key, value) for every entry of the block at `handle`.
  template <typename Fn>
  absl::Status ReadBlock(const Handle& handle, Fn fn) {
    if (handle.offset > file_.size() || handle.size > file_.size() - handle.offset ||
        file_.size() - handle.offset - handle.size < kTrailerBytes)
      return Damaged(fmt::format("block at {} with {} bytes: the file has {}", handle.offset,
                                 handle.size, file_.size()));
    const auto size = static_cast<size_t>(handle.size);
    const Bytes stored = file_.subspan(static_cast<size_t>(handle.offset), size + kTrailerBytes);
    if (Crc32c(stored.first(size + 1)) !=
        UnmaskCrc(static_cast<uint32_t>(Fixed(stored.subspan(size + 1), 4))))
      return Damaged(fmt::format("checksum of the block at {}", handle.offset));
    const auto compression = static_cast<int>(stored[size]);
    if (compression == 0) return ReadEntries(stored.first(size), fn);
    if (compression != 1) return Damaged("an unknown compression");
    std::string unpacked;
    const char* data = reinterpret_cast<const char*>(stored.data());
    size_t length = 0;
    if (!snappy::GetUncompressedLength(data, size, &length) || !Spend(length))
      return Damaged("a compressed block");
    if (!snappy::Uncompress(data, size, &unpacked)) return Damaged("a compressed block");
    return ReadEntries(std::as_bytes(std::span(unpacked)), fn);
  }

  // Entries one after another; behind them where to start for searching, which nobody here does.
  template <typename Fn>
  absl::Status ReadEntries(Bytes block, Fn fn) {
    if (block.size() < 4) return Damaged("a block without an end");
    const uint64_t restarts = Fixed(block.last(4), 4);
    if (restarts > (block.size() - 4) / 4) return Damaged("a block's restart points");
    Reader reader(block.first(block.size() - 4 - static_cast<size_t>(restarts) * 4));
    std::string key;
    while (!reader.empty()) {
      const auto shared = reader.Varint(), unshared = reader.Varint(), length = reader.Varint();
      if (!shared || !unshared || !length || *shared > key.size()) return Damaged("an entry");
      const auto rest = reader.Take(*unshared);
      const auto value = rest ? reader.Take(*length) : std::nullopt;
      if (!value) return Damaged("an entry");
      key.resize(static_cast<size_t>(*shared));
      key += *rest;
      constexpr size_t kNodeBytes = 128;  // what an entry costs at least
      if (!Spend(key.size() + value->size() + kNodeBytes))
        return Damaged(fmt::format("more than {} bytes of entries", kMaxBytes));
      if (absl::Status s = fn(key, *value); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  const Bytes file_;
  size_t bytes_left_ = kMaxBytes;
};

}  // namespace

absl::StatusOr<Table> ReadSortedTable(Bytes file) { return TableReader(file).Read(); }

}  // namespace linnet::converter
