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
  bool mapped = false;  // by MapFile
};

// The file mapped read-only: pages are read when touched and cost no heap. Must not be truncated
// while in use. NotFound, or FailedPrecondition for what is no regular file.
absl::StatusOr<OwnedBytes> MapFile(const std::filesystem::path& path);

// `part` of `whole`, which it keeps alive. Once the last owner of a large part of a mapped file is
// gone, its pages leave memory (and come back from the file should somebody else read them): a
// conversion then holds weights as read or as rewritten, not both.
OwnedBytes PartOf(const OwnedBytes& whole, std::span<const std::byte> part);

}  // namespace linnet::converter
