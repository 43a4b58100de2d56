// SPDX-License-Identifier: Apache-2.0
#include "converter/import/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fmt/format.h"

namespace linnet::converter {

absl::StatusOr<MappedFile> MapFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return absl::NotFoundError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  struct stat info;
  const bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const auto bytes = regular ? static_cast<size_t>(info.st_size) : 0;
  void* data = bytes > 0 ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  close(file);
  if (!regular) return absl::InvalidArgumentError(fmt::format("{} is not a file", path));
  if (bytes == 0) return MappedFile{};
  if (data == MAP_FAILED)
    return absl::UnavailableError(fmt::format("cannot map {}: {}", path, std::strerror(errno)));
  const std::shared_ptr<const void> owner(
      data, [bytes](const void* mapped) { munmap(const_cast<void*>(mapped), bytes); });
  return MappedFile{{static_cast<const std::byte*>(data), bytes}, owner};
}

}  // namespace linnet::converter
