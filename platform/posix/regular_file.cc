// SPDX-License-Identifier: Apache-2.0
#include "platform/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace linnet {
namespace {

// Null for a regular file.
const char* Refusal(mode_t mode) {
  if (S_ISREG(mode)) return nullptr;
  if (S_ISDIR(mode)) return "it is a folder";
  if (S_ISFIFO(mode) || S_ISSOCK(mode))
    return "it is a pipe, as from <(command): save its contents in a file first";
  return "it is a device, not a file";
}

}  // namespace

RegularFile::RegularFile(const char* path) {
  // O_NONBLOCK: opening a pipe would wait for a writer. It changes nothing for regular files.
  descriptor_ = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info;
  if (descriptor_ >= 0 && fstat(descriptor_, &info) == 0) {
    bytes_ = info.st_size;
    refusal_ = Refusal(info.st_mode);
    if (refusal_ == nullptr) return;
  } else {
    error_ = errno;
    if (error_ == ENXIO) refusal_ = Refusal(S_IFSOCK);  // the error for a socket on Linux
  }
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

RegularFile::RegularFile(int descriptor, int64_t offset, int64_t bytes)
    : owned_(false), offset_(offset) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) {
    error_ = errno;
    refusal_ = "it is not an open file descriptor";
    return;
  }
  refusal_ = Refusal(info.st_mode);
  if (refusal_ != nullptr) return;
  const int64_t end = info.st_size;
  if (offset < 0 || bytes < 0 || offset > end || bytes > end - offset) {
    refusal_ = "the part to open lies beyond the end of the file";
    return;
  }
  bytes_ = bytes == 0 ? end - offset : bytes;
  descriptor_ = descriptor;
}

RegularFile::~RegularFile() {
  if (owned_ && descriptor_ >= 0) close(descriptor_);
}

bool RegularFile::ReadTo(std::byte* to) const {
  for (int64_t done = 0; done < bytes_;) {
    const ssize_t got = pread(descriptor_, to + done, static_cast<size_t>(bytes_ - done),
                              static_cast<off_t>(offset_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += got;
  }
  return true;
}

}  // namespace linnet
