// SPDX-License-Identifier: Apache-2.0
// Binary GraphDef -> graph. Whatever the bytes are: a status or a graph that its own checks accept.
#include "tests/fuzz/import_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  const OwnedBytes file{std::as_bytes(std::span(data, size)), nullptr};
  CheckImported(ImportGraphDef(file, {.max_expanded_bytes = kFuzzBytes}));
  return 0;
}
