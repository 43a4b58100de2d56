// SPDX-License-Identifier: Apache-2.0
#include "platform/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace linnet {
namespace {

// What is written at once, from multiples of it on, may lie in one huge page of the system's
// memory, and those who map the file find it there.
constexpr size_t kBytesAtOnce = size_t{2} << 20;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A name that differs between calls and between programs. O_EXCL makes sure that the file is new.
std::string UnusualName() {
  static uint64_t calls = 0;
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t mixed = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u +
                   static_cast<uint64_t>(now.tv_nsec) + (static_cast<uint64_t>(getpid()) << 40) +
                   ++calls;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  mixed ^= mixed >> 31;
  char name[40];
  std::snprintf(name, sizeof(name), ".linnet-%016llx.part", static_cast<unsigned long long>(mixed));
  return name;
}

// Some file systems do not support fsync and say so; then there is nothing to wait for.
bool Synced(int file) { return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP; }

}  // namespace

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  struct stat info;
  if (lstat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) {
    errno = S_ISDIR(info.st_mode) ? EISDIR : EEXIST;
    problem_ = "cannot write " + path_ + ": " +
               (S_ISDIR(info.st_mode) ? "it is a folder" : "it exists and is not a regular file");
    return;
  }
  Open(FolderOf(path_));
}

void FileWriter::Open(const std::string& folder) {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts && file_ == nullptr; ++attempt) {
    temporary_ = folder + (folder.ends_with('/') ? "" : "/") + UnusualName();
    removed_.emplace(
        temporary_.c_str());  // before the file exists, so that no signal can leave it behind
    const int file =
        open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0) {
      file_ = fdopen(file, "wb");
      if (file_ != nullptr) return WriteInLargePieces();
      Check(false);
      close(file);
      unlink(temporary_.c_str());
      break;
    }
    removed_.reset();  // it is another program's file
    if (errno != EEXIST) break;
  }
  Check(false);
  temporary_.clear();
}

void FileWriter::WriteInLargePieces() {
  pieces_.reset(new (std::nothrow) char[kBytesAtOnce]);
  if (pieces_ != nullptr) std::setvbuf(file_, pieces_.get(), _IOFBF, kBytesAtOnce);
}

FileWriter::~FileWriter() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileWriter::Check(bool done) {
  if (!done && ok()) problem_ = "cannot write " + path_ + ": " + std::strerror(errno);
}

void FileWriter::Write(const void* data, size_t bytes) {
  if (ok() && bytes > 0) Check(std::fwrite(data, 1, bytes, file_) == bytes);
}

void FileWriter::Rewrite(const void* data, size_t bytes) {
  if (ok()) Check(std::fseek(file_, 0, SEEK_SET) == 0);
  Write(data, bytes);
}

bool FileWriter::Flush() {
  if (ok()) Check(std::fflush(file_) == 0);
  return ok();
}

bool FileWriter::Commit() {
  if (!Flush()) return false;
  Check(Synced(fileno(file_)));
  // Some file systems report a full disk only when the file is closed.
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  Check(closed);
  if (ok()) Check(std::rename(temporary_.c_str(), path_.c_str()) == 0);
  if (!ok()) return false;
  temporary_.clear();
  removed_.reset();
  // Write the folder too, because it contains the name. If it cannot be opened, there is nothing
  // more to do.
  const int folder = open(FolderOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;
  Check(Synced(folder));
  close(folder);
  return ok();
}

}  // namespace linnet
