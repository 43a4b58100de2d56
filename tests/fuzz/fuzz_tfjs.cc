// SPDX-License-Identifier: Apache-2.0
// model.json, a NUL, and the bytes of every weights file that it names.
#include "tests/fuzz/import_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(input.find('\0'), size);
  const auto weights = std::as_bytes(std::span(data, size)).subspan(std::min(end + 1, size));
  const auto load = [&](const std::string&) -> absl::StatusOr<OwnedBytes> {
    return OwnedBytes{weights, nullptr};
  };
  CheckImported(ImportTfjs(input.substr(0, end), load, {.max_expanded_bytes = kFuzzBytes}));
  return 0;
}
