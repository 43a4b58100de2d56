// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "converter/import/mapped_file.h"

namespace linnet::converter {

// The whole content of a LevelDB table, which is what the index of a checkpoint is. (LevelDB's own
// reader allocates what a block says it has before it looks whether the file is that long; this one
// checks first.) Every block's CRC is checked; Snappy blocks are unpacked. What keys, values and
// unpacked blocks may take together is bounded. InvalidArgument "not a table ..." when damaged.
absl::StatusOr<std::map<std::string, std::string, std::less<>>> ReadSortedTable(
    std::span<const std::byte> file);

}  // namespace linnet::converter
