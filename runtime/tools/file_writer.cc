// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/file_writer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace linnet::tools {

std::string WriteFile(const std::string& path, std::initializer_list<std::string_view> pieces) {
  const std::string temporary = path + ".part";
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return "cannot write " + path + ": " + std::strerror(errno);
  bool written = true;
  for (const std::string_view piece : pieces)
    written = written && std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
  // Closing is what tells of a full disk.
  if (std::fclose(file) == 0 && written && std::rename(temporary.c_str(), path.c_str()) == 0)
    return "";
  const std::string reason = std::strerror(errno);
  std::remove(temporary.c_str());
  return "cannot write " + path + ": " + reason;
}

}  // namespace linnet::tools
