// SPDX-License-Identifier: Apache-2.0
#include "platform/file_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include "platform/regular_file.h"
#include "runtime/core/checked.h"
#include "runtime/core/system_pages.h"

namespace linnet {
namespace {

constexpr size_t kAlignment = 64;

// One byte more than the file, because an allocation must not be empty.
int64_t AllocatedBytes(int64_t bytes) { return bytes + 1; }

Status WhyNot(const RegularFile& file) {
  return {StatusCode::kIo, file.refusal() != nullptr ? file.refusal() : "cannot open the file"};
}

// Systems whose page cache has large pages (Linux from 5.18 on with XFS, 6.16 with ext4) read the
// file into these, and map each by one page fault instead of 32, of 16 small pages at a time. An
// error only means that the pages are small.
void AskForHugePages([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#if defined(MADV_HUGEPAGE)
  if (bytes >= kHugePageBytes) madvise(data, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

Status FileBytes::Map(const char* path) { return Map(RegularFile(path)); }

Status FileBytes::Map(const RegularFile& file) {
  Close();
  if (!file.ok()) return WhyNot(file);
  const int64_t bytes = file.bytes();
  const int64_t before = file.offset() % sysconf(_SC_PAGESIZE);  // mappings begin with a page
  if (bytes == 0) return {StatusCode::kIo, "the file is empty"};
  // With 32 bits, a file may be larger than the address space.
  void* data = bytes > PTRDIFF_MAX - before
                   ? MAP_FAILED
                   : mmap(nullptr, static_cast<size_t>(before + bytes), PROT_READ, MAP_PRIVATE,
                          file.descriptor(), static_cast<off_t>(file.offset() - before));
  if (data == MAP_FAILED) return {StatusCode::kIo, "cannot map the file"};
  AskForHugePages(data, static_cast<size_t>(before + bytes));
  data_ = static_cast<const std::byte*>(data) + before;
  bytes_ = bytes;
  before_ = before;
  mapped_ = true;
  return {};
}

Status FileBytes::Read(const char* path, const HostAllocator& allocator) {
  Close();
  const RegularFile file(path);
  if (!file.ok()) return WhyNot(file);
  const int64_t bytes = file.bytes();
  auto* data = static_cast<std::byte*>(allocator.Allocate(AllocatedBytes(bytes), kAlignment));
  const bool read = data != nullptr && file.ReadTo(data);
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
    munmap(const_cast<std::byte*>(data_) - before_, static_cast<size_t>(before_ + bytes_));
  else
    allocator_.Release(const_cast<std::byte*>(data_), AllocatedBytes(bytes_));
  data_ = nullptr;
  bytes_ = before_ = 0;
  mapped_ = false;
}

void FileBytes::DropPages(const std::byte* data, int64_t offset, int64_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto from = reinterpret_cast<uintptr_t>(data) + static_cast<uintptr_t>(offset);
  const uintptr_t first = (from + page - 1) / page * page;
  const uintptr_t last = (from + static_cast<uintptr_t>(bytes)) / page * page;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): only arithmetic on addresses finds the pages.
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace linnet
