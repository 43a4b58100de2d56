// SPDX-License-Identifier: Apache-2.0
#include "converter/import/checkpoint/sorted_table.h"

#include <snappy.h>

#include <vector>

#include "converter/import/checkpoint/crc32c.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

using Bytes = std::span<const std::byte>;

constexpr uint64_t kMagic = 0xdb4775248b80fb57u;
constexpr size_t kFooterBytes = 48;
constexpr size_t kTrailerBytes = 5;             // compression, CRC
constexpr size_t kMaxBytes = size_t{64} << 20;  // real models have indices of a few megabytes

uint64_t Fixed(Bytes bytes, size_t width) {
  uint64_t value = 0;
  for (size_t i = width; i-- > 0;) value = value << 8 | static_cast<uint64_t>(bytes[i]);
  return value;
}

absl::Status Damaged(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("not a table, or damaged: {}", what));
}

// `size` bytes from the front of *bytes; nullopt when there are not as many.
std::optional<std::string_view> TakeText(uint64_t size, Bytes* bytes) {
  if (size > bytes->size()) return std::nullopt;
  const std::string_view text = AsText(bytes->first(size));
  *bytes = bytes->subspan(size);
  return text;
}

struct Handle {
  uint64_t offset = 0, size = 0;
};

std::optional<Handle> TakeHandle(Bytes* bytes) {
  const auto offset = TakeVarint(bytes), size = TakeVarint(bytes);
  if (!offset || !size) return std::nullopt;
  return Handle{*offset, *size};
}

class TableReader {
 public:
  explicit TableReader(Bytes file) : file_(file) {}

  absl::StatusOr<SortedTable> Read() {
    if (file_.size() < kFooterBytes) return Damaged("it is too short");
    const Bytes footer = file_.last(kFooterBytes);
    if (Fixed(footer.last(8), 8) != kMagic) return Damaged("it does not end as a table does");
    Bytes handles = footer.first(kFooterBytes - 8);
    const auto meta = TakeHandle(&handles), index = TakeHandle(&handles);
    if (!meta || !index) return Damaged("its footer");
    std::vector<std::string> blocks;  // handles of theirs
    absl::Status status = ReadBlock(*index, [&](const std::string&, std::string_view value) {
      blocks.emplace_back(value);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    SortedTable table;
    for (const std::string& block : blocks) {
      Bytes bytes = std::as_bytes(std::span(block));
      const auto handle = TakeHandle(&bytes);
      if (!handle) return Damaged("a block's place");
      status = ReadBlock(*handle, [&](const std::string& key, std::string_view value) {
        if (!table.empty() && key <= table.rbegin()->first) return Damaged("keys are not in order");
        table.emplace_hint(table.end(), key, value);
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
    const char* data = AsText(stored).data();
    size_t length = 0;
    if (!snappy::GetUncompressedLength(data, size, &length) || !Spend(length) ||
        !snappy::Uncompress(data, size, &unpacked))
      return Damaged("a compressed block");
    return ReadEntries(std::as_bytes(std::span(unpacked)), fn);
  }

  // Entries, then the restart points, which only a search in the block needs.
  template <typename Fn>
  absl::Status ReadEntries(Bytes block, Fn fn) {
    if (block.size() < 4) return Damaged("a block without an end");
    const uint64_t restarts = Fixed(block.last(4), 4);
    if (restarts > (block.size() - 4) / 4) return Damaged("a block's restart points");
    Bytes left = block.first(block.size() - 4 - restarts * 4);
    std::string key;
    while (!left.empty()) {
      const auto shared = TakeVarint(&left), unshared = TakeVarint(&left),
                 length = TakeVarint(&left);
      if (!shared || !unshared || !length || *shared > key.size()) return Damaged("an entry");
      const auto rest = TakeText(*unshared, &left);
      const auto value = rest ? TakeText(*length, &left) : std::nullopt;
      if (!value) return Damaged("an entry");
      key.resize(static_cast<size_t>(*shared));
      key += *rest;
      constexpr size_t kNodeBytes = 128;  // memory that an entry takes at least
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

std::optional<uint64_t> TakeVarint(Bytes* bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<uint64_t>(bytes->front());
    *bytes = bytes->subspan(1);
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

absl::StatusOr<SortedTable> ReadSortedTable(Bytes file) { return TableReader(file).Read(); }

}  // namespace linnet::converter
