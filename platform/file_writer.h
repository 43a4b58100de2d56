// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "platform/removed_at_signal.h"

namespace linnet {

// A file that takes its name only once it is whole and on the disk: whoever reads `path` finds the
// former file or the new one, whatever happens in between. Until then the bytes are in a file
// beside it with a name that nobody else has; that is gone when the writer is, or when a signal
// ends the program (RemovedAtSignal).
//
// A link named `path` is replaced, not followed; what is neither link nor regular file is refused.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // After a call that failed, all later ones do nothing; problem() has the first reason.
  void Write(const void* data, size_t bytes);
  // Writes from the file's first byte on, over what is there.
  void Rewrite(const void* data, size_t bytes);
  // All bytes can be read in temporary().
  bool Flush();
  const std::string& temporary() const { return temporary_; }
  // Gives the file its name. Nothing may be written any more.
  bool Commit();
  // Empty, or "cannot write PATH: reason".
  const std::string& problem() const { return problem_; }

 private:
  bool ok() const { return problem_.empty(); }
  void Check(bool done);  // notes errno's reason when not
  void Open(const std::string& folder);

  const std::string path_;
  std::string temporary_;
  std::optional<RemovedAtSignal> removed_;
  std::FILE* file_ = nullptr;
  std::string problem_;
};

}  // namespace linnet
