// SPDX-License-Identifier: Apache-2.0
#include "converter/import/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "fmt/format.h"
#include "platform/regular_file.h"

namespace linnet::converter {
namespace {

constexpr size_t kLargePart = size_t{256} << 10;

absl::Status FileError(const std::filesystem::path& path, int error) {
  const std::string text = fmt::format("cannot read {}: {}", path.string(), std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(text) : absl::FailedPreconditionError(text);
}

}  // namespace

absl::StatusOr<OwnedBytes> MapFile(const std::filesystem::path& path) {
  const RegularFile opened(path.c_str());
  if (opened.refusal() != nullptr)
    return absl::FailedPreconditionError(
        fmt::format("cannot read {}: {}", path.string(), opened.refusal()));
  if (!opened.ok()) return FileError(path, opened.error());
  const auto size = static_cast<size_t>(opened.bytes());
  if (size == 0) return OwnedBytes{};  // an empty file cannot be mapped
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.descriptor(), 0);
  if (data == MAP_FAILED) return FileError(path, errno);
  const auto unmap = [size](const void* p) { munmap(const_cast<void*>(p), size); };
  return OwnedBytes{.bytes = {static_cast<const std::byte*>(data), size},
                    .owner = std::shared_ptr<const void>(data, unmap),
                    .mapped = true};
}

FileLoader FilesIn(const std::filesystem::path& folder) {
  return [folder](const std::string& name) { return MapFile(folder / name); };
}

OwnedBytes PartOf(const OwnedBytes& whole, std::span<const std::byte> part) {
  if (!whole.mapped || part.size() < kLargePart) return {part, whole.owner};
  const auto drop_pages = [owner = whole.owner, part](const void*) {
    // Whole pages only: others may still be in use.
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t skipped = -reinterpret_cast<uintptr_t>(part.data()) % page;
    if (part.size() < skipped + page) return;
    madvise(const_cast<std::byte*>(part.data()) + skipped, (part.size() - skipped) / page * page,
            MADV_DONTNEED);
  };
  return {part, std::shared_ptr<const void>(part.data(), drop_pages)};
}

}  // namespace linnet::converter
