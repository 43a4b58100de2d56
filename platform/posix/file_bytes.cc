// SPDX-License-Identifier: Apache-2.0
#include "platform/file_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include "platform/regular_file.h"
#include "runtime/core/checked.h"

namespace linnet {
namespace {

constexpr size_t kAlignment = 64;

// One byte more than the file, because an allocation must not be empty.
int64_t AllocatedBytes(int64_t bytes) { return bytes + 1; }

Status WhyNot(const RegularFile& file) {
  return {StatusCode::kIo, file.refusal() != nullptr ? file.refusal() : "cannot open the file"};
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
  const RegularFile file(path);
  if (!file.ok()) return WhyNot(file);
  const int64_t bytes = file.bytes();
  // With 32 bits, a file may be larger than the address space.
  void* data =
      bytes == 0 || bytes > PTRDIFF_MAX
          ? MAP_FAILED
          : mmap(nullptr, static_cast<size_t>(bytes), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (data == MAP_FAILED)
    return {StatusCode::kIo, bytes == 0 ? "the file is empty" : "cannot map the file"};
  data_ = static_cast<const std::byte*>(data);
  bytes_ = bytes;
  mapped_ = true;
  return {};
}

Status FileBytes::Read(const char* path, const HostAllocator& allocator) {
  Close();
  const RegularFile file(path);
  if (!file.ok()) return WhyNot(file);
  const int64_t bytes = file.bytes();
  auto* data = static_cast<std::byte*>(allocator.Allocate(AllocatedBytes(bytes), kAlignment));
  const bool read = data != nullptr && ReadAll(file.descriptor(), data, bytes);
  if (!read) {
    allocator.Release(data, AllocatedBytes(bytes));
    return data == nullptr ? Status{StatusCode::kNoMemory, "not enough memory to read the file"}
                           : Status{StatusCode::kIo, "cannot read the file"};
  }
  data_ = data;
  bytes_ = bytes;
  allocator_ = allocator;
  return {};
}

void FileBytes::Close() {
  if (data_ == nullptr) return;
  if (mapped_)
    munmap(const_cast<std::byte*>(data_), static_cast<size_t>(bytes_));
  else
    allocator_.Release(const_cast<std::byte*>(data_), AllocatedBytes(bytes_));
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
