// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/file_writer.h"

#include "platform/file_writer.h"

namespace linnet::tools {

std::string WriteFile(const std::string& path, std::initializer_list<std::string_view> pieces) {
  FileWriter file(path);
  for (const std::string_view piece : pieces) file.Write(piece.data(), piece.size());
  file.Commit();
  return file.problem();
}

}  // namespace linnet::tools
