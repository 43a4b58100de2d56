// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>

namespace linnet {

// A regular file, open for reading. Pipes and devices are refused and never waited for: what reads
// files here maps them, or believes what they say of their size.
class RegularFile {
 public:
  explicit RegularFile(const char* path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  bool ok() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  // The descriptor, which is the caller's to close from now on.
  int Release() { return std::exchange(descriptor_, -1); }
  int64_t bytes() const { return bytes_; }
  // What is wrong with a path that names no regular file, as a sentence about it ("it is a
  // folder"); null when the system's `error()` says it.
  const char* refusal() const { return refusal_; }
  int error() const { return error_; }

 private:
  int descriptor_ = -1;
  int error_ = 0;  // errno
  int64_t bytes_ = 0;
  const char* refusal_ = nullptr;
};

}  // namespace linnet
