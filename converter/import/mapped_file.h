// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace linnet::converter {

// A file's bytes, mapped read-only for as long as `owner` lives. Constants of a graph share it.
struct MappedFile {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;

  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// NotFound or Unavailable with the path and the system's reason. An empty file gives an empty span.
absl::StatusOr<MappedFile> MapFile(const std::string& path);

}  // namespace linnet::converter
