// SPDX-License-Identifier: Apache-2.0
#include "converter/report/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "fmt/format.h"

namespace linnet::converter {

absl::Status WriteFile(const std::string& path, std::string_view bytes) {
  const std::string part = path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "wb");
  bool ok = file != nullptr;
  if (ok) {
    ok = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    ok = std::fclose(file) == 0 && ok;
    ok = ok && std::rename(part.c_str(), path.c_str()) == 0;
  }
  if (ok) return absl::OkStatus();
  const int error = errno;
  if (file != nullptr) std::remove(part.c_str());
  return absl::UnavailableError(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

}  // namespace linnet::converter
