// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "platform/removed_at_signal.h"

namespace linnet {

// Writes a file that gets its name only when it is complete and on the disk: a reader of `path`
// finds either the former file or the new one, whatever happens in between. Until then the bytes
// are in a temporary file with a unique name in the same folder. It is removed by the destructor,
// and when a signal ends the program (RemovedAtSignal).
//
// A symbolic link named `path` is replaced, not followed. Anything at `path` that is neither a link
// nor a regular file is refused.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // After a failure, all later calls do nothing, and problem() has the first reason.
  void Write(const void* data, size_t bytes);
  // Writes from the beginning of the file, over what is there.
  void Rewrite(const void* data, size_t bytes);
  // Makes all bytes readable in the file temporary(). False on failure.
  bool Flush();
  const std::string& temporary() const { return temporary_; }
  // Gives the file its name; nothing may be written afterwards. False on failure.
  bool Commit();
  // Empty, or "cannot write PATH: reason".
  const std::string& problem() const { return problem_; }

 private:
  bool ok() const { return problem_.empty(); }
  void Check(bool done);  // when false, notes the reason in errno
  void Open(const std::string& folder);
  void WriteInLargePieces();

  const std::string path_;
  std::string temporary_;
  std::optional<RemovedAtSignal> removed_;
  std::unique_ptr<char[]> pieces_;  // of file_: longer than that
  std::FILE* file_ = nullptr;
  std::string problem_;
};

}  // namespace linnet
