// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "converter/import/mapped_file.h"

namespace linnet::converter {

using SortedTable = std::map<std::string, std::string, std::less<>>;

// The whole content of a LevelDB table, the format of a checkpoint's index. (LevelDB's own reader
// allocates as many bytes as a block claims to have; this one first compares that with the size of
// the file.) The CRC of every block is checked, and blocks compressed with Snappy are unpacked. The
// memory for keys, values and unpacked blocks is bounded. InvalidArgument "not a table ...".
absl::StatusOr<SortedTable> ReadSortedTable(std::span<const std::byte> file);

// Takes a number of 7 bits per byte, the lowest first, from the front of *bytes. nullopt when it
// has no end.
std::optional<uint64_t> TakeVarint(std::span<const std::byte>* bytes);

}  // namespace linnet::converter
