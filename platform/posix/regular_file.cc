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

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace linnet
