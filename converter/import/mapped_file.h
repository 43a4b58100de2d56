// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "absl/status/statusor.h"

namespace linnet::converter {

// Bytes with whatever keeps them alive: a mapping, a string, somebody else's memory (null owner).
struct OwnedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

// The file mapped read-only: pages are read when touched and cost no heap. Must not be truncated
// while in use. NotFound, or FailedPrecondition for what is no regular file.
absl::StatusOr<OwnedBytes> MapFile(const std::filesystem::path& path);

}  // namespace linnet::converter
