// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "absl/status/statusor.h"
#include "converter/import/mapped_file.h"

namespace linnet::converter {

// What a file that was compressed with gzip contains, on the heap; any other file as it is.
// InvalidArgument where the file is damaged, cut off or unpacks to more than `most_bytes`.
absl::StatusOr<OwnedBytes> Unpacked(const OwnedBytes& file, size_t most_bytes = size_t{1} << 31);

}  // namespace linnet::converter
