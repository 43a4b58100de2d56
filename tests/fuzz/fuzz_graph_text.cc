// SPDX-License-Identifier: Apache-2.0
// The text form of graphs: a graph that parses must print as text that parses to the same graph.
#include <cstdint>
#include <string>

#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  const auto graph = ParseGraph({reinterpret_cast<const char*>(data), size});
  if (!graph.ok() || !VerifyGraph(**graph).ok()) return 0;
  const PrintOptions options = {.max_values = 1 << 16};  // larger than any input can write out
  const std::string text = PrintGraph(**graph, options);
  const auto again = ParseGraph(text);
  if (!again.ok()) {  // only a hash is printed for larger constants
    if (text.find(" hash=") == std::string::npos) __builtin_trap();
    return 0;
  }
  if (PrintGraph(**again, options) != text) __builtin_trap();
  return 0;
}
