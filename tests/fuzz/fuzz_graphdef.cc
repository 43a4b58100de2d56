// SPDX-License-Identifier: Apache-2.0
// Binary GraphDef: any bytes must lead to an error or to a graph that the verifier accepts.
#include "tests/fuzz/import_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  const OwnedBytes file{std::as_bytes(std::span(data, size)), nullptr};
  CheckImported(ImportGraphDef(file, {.max_expanded_bytes = kFuzzBytes}));
  return 0;
}
