// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace linnet {

// A regular file, open for reading, or a part of one. Pipes and devices are refused, without
// waiting for them, because the code that uses this class maps files or relies on their size.
class RegularFile {
 public:
  explicit RegularFile(const char* path);
  // The bytes [offset, offset + bytes) of a file that the caller has opened and closes; to its end
  // when `bytes` is 0. Does not use or change the descriptor's position.
  RegularFile(int descriptor, int64_t offset, int64_t bytes);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  bool ok() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  // Returns the descriptor, which the caller must close.
  int Release() { return std::exchange(descriptor_, -1); }
  int64_t offset() const { return offset_; }
  int64_t bytes() const { return bytes_; }
  // Copies all bytes(). False on failure.
  bool ReadTo(std::byte* to) const;
  // Why the file was refused although the system did not fail, as a sentence ("it is a folder");
  // null when the system's error() explains the failure.
  const char* refusal() const { return refusal_; }
  int error() const { return error_; }

 private:
  int descriptor_ = -1;
  int error_ = 0;                       // errno
  [[maybe_unused]] bool owned_ = true;  // not by the form without files
  int64_t offset_ = 0, bytes_ = 0;
  const char* refusal_ = nullptr;
};

}  // namespace linnet
