// SPDX-License-Identifier: Apache-2.0
// GraphDef in text form, imported to a graph.
#include "tests/fuzz/import_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckImported(ImportPbtxt(text, {.max_expanded_bytes = kFuzzBytes}));
  return 0;
}
