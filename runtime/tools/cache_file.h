// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "linnet/linnet.h"
#include "platform/file_bytes.h"

namespace linnet::tools {

// A file in which sessions keep what they learn about the GPU (linnet_session_options.cache).
class CacheFile {
 public:
  explicit CacheFile(std::string path) : path_(std::move(path)) {}

  // Makes a session read the file, if there is one, and write it. REQUIRES: this object outlives
  // the session. Returns "", or one sentence when the file cannot be read.
  std::string AddTo(linnet_session_options* options);
  // The first thing that went wrong while the file was written; "" when nothing did.
  const std::string& problem() const { return problem_; }

 private:
  const std::string path_;
  FileBytes bytes_;
  std::string problem_;
};

}  // namespace linnet::tools
