// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace linnet::converter {

// Bytes together with what keeps them alive: a mapping or a string. A null `owner` means that the
// caller of the import keeps them alive.
struct OwnedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  bool mapped = false;  // by MapFile
};

// Gives the bytes of a file that belongs to a model, by its name; NotFound where there is none.
using FileLoader = std::function<absl::StatusOr<OwnedBytes>(const std::string& name)>;

// The file mapped read-only: pages are read when they are touched and take no heap. The file must
// not be truncated while it is in use. NotFound; FailedPrecondition for anything that is not a
// regular file or cannot be read.
absl::StatusOr<OwnedBytes> MapFile(const std::filesystem::path& path);
// Maps files of `folder`. The names are not checked: they may lead out of the folder.
FileLoader FilesIn(const std::filesystem::path& folder);

// `part` of `whole`, which it keeps alive. When the last owner of a large part of a mapped file is
// gone, the part's pages are given back to the system (and read again if another part shares them),
// so that a conversion holds weights as read or as rewritten, but not both.
OwnedBytes PartOf(const OwnedBytes& whole, std::span<const std::byte> part);

inline std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace linnet::converter
