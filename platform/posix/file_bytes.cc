// SPDX-License-Identifier: Apache-2.0
#include "platform/posix/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/core/checked.h"

namespace linnet {
namespace {

constexpr int64_t kAlignment = 64;

// Opens a regular file and tells its size; -1 on failure.
int OpenRegular(const char* path, int64_t* bytes) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
    *bytes = info.st_size;
    return file;
  }
  if (file >= 0) close(file);
  return -1;
}

bool ReadAll(int file, std::byte* to, int64_t bytes) {
  while (bytes > 0) {
    const ssize_t got = read(file, to, static_cast<size_t>(bytes));
    if (got <= 0) return false;
    to += got;
    bytes -= got;
  }
  return true;
}

}  // namespace

Status FileBytes::Map(const char* path) {
  Close();
  int64_t bytes = 0;
  const int file = OpenRegular(path, &bytes);
  if (file < 0) return {StatusCode::kIo, "cannot open the file"};
  void* data = bytes == 0
                   ? MAP_FAILED
                   : mmap(nullptr, static_cast<size_t>(bytes), PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED)
    return {StatusCode::kIo, bytes == 0 ? "the file is empty" : "cannot map the file"};
  data_ = static_cast<const std::byte*>(data);
  bytes_ = bytes;
  mapped_ = true;
  return {};
}

Status FileBytes::Read(const char* path) {
  Close();
  int64_t bytes = 0;
  const int file = OpenRegular(path, &bytes);
  if (file < 0) return {StatusCode::kIo, "cannot open the file"};
  auto* data = static_cast<std::byte*>(
      std::aligned_alloc(kAlignment, static_cast<size_t>(AlignUp(bytes + 1, kAlignment))));
  const bool read = data != nullptr && ReadAll(file, data, bytes);
  close(file);
  if (!read) {
    std::free(data);
    return data == nullptr ? Status{StatusCode::kNoMemory, "not enough memory to read the file"}
                           : Status{StatusCode::kIo, "cannot read the file"};
  }
  data_ = data;
  bytes_ = bytes;
  return {};
}

void FileBytes::Close() {
  if (data_ == nullptr) return;
  if (mapped_)
    munmap(const_cast<std::byte*>(data_), static_cast<size_t>(bytes_));
  else
    std::free(const_cast<std::byte*>(data_));
  data_ = nullptr;
  bytes_ = 0;
  mapped_ = false;
}

void FileBytes::DropPages(const std::byte* data, int64_t offset, int64_t bytes) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  const int64_t first = AlignUp(offset, page), last = (offset + bytes) / page * page;
  if (last > first)
    madvise(const_cast<std::byte*>(data) + first, static_cast<size_t>(last - first), MADV_DONTNEED);
}

}  // namespace linnet
