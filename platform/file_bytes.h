// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/core/host_allocator.h"
#include "runtime/core/status.h"

namespace linnet {

class RegularFile;

// A file's bytes, mapped read-only or read into memory. At least 64-byte aligned, unless they are a
// mapped part of a file that begins elsewhere.
class FileBytes {
 public:
  FileBytes() = default;
  ~FileBytes() { Close(); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  // kIo, with a sentence that says why.
  Status Map(const char* path);
  Status Map(const RegularFile& file);  // also a part of one, at any offset
  // Reads the file into memory of `allocator`. kIo, kNoMemory.
  Status Read(const char* path, const HostAllocator& allocator);
  Status Read(const char* path) { return Read(path, kMalloc); }
  void Close();

  const std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  bool mapped() const { return mapped_; }
  // Gives whole pages inside [offset, offset + bytes) of `data` back to the system, which reads
  // them from the file again when they are accessed. Only for mapped files.
  static void DropPages(const std::byte* data, int64_t offset, int64_t bytes);

 private:
  const std::byte* data_ = nullptr;
  int64_t bytes_ = 0;
  bool mapped_ = false;
  // Mapped bytes of the first page that precede data_.
  [[maybe_unused]] int64_t before_ = 0;
  HostAllocator allocator_ = kMalloc;  // for bytes that were read
};

}  // namespace linnet
