// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>

namespace linnet {

// A regular file, open for reading. Pipes and devices are refused, without waiting for them,
// because the code that uses this class maps files or relies on their size.
class RegularFile {
 public:
  explicit RegularFile(const char* path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  bool ok() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  // Returns the descriptor, which the caller must close.
  int Release() { return std::exchange(descriptor_, -1); }
  int64_t bytes() const { return bytes_; }
  // Why a path was refused that is not a regular file, as a sentence ("it is a folder"); null when
  // the system's error() explains the failure.
  const char* refusal() const { return refusal_; }
  int error() const { return error_; }

 private:
  int descriptor_ = -1;
  int error_ = 0;  // errno
  int64_t bytes_ = 0;
  const char* refusal_ = nullptr;
};

}  // namespace linnet
