// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/cache_file.h"

#include <unistd.h>

#include "runtime/tools/file_writer.h"

namespace linnet::tools {

std::string CacheFile::AddTo(linnet_session_options* options) {
  options->store_context = this;
  options->store_cache = [](void* context, const void* data, size_t bytes) {
    auto* self = static_cast<CacheFile*>(context);
    const std::string problem =
        WriteFile(self->path_, {std::string_view(static_cast<const char*>(data), bytes)});
    if (self->problem_.empty()) self->problem_ = problem;
  };
  if (access(path_.c_str(), F_OK) != 0) return "";
  // Not mapped: the file is replaced while the session is created.
  if (const Status status = bytes_.Read(path_.c_str()); !status.ok())
    return "cannot read " + path_ + ": " + status.what();
  options->cache = bytes_.data();
  options->cache_bytes = static_cast<size_t>(bytes_.bytes());
  return "";
}

}  // namespace linnet::tools
