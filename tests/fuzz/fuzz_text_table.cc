// SPDX-License-Identifier: Apache-2.0
// A vocabulary: six bytes that say how it is read, then its text.
#include <cstdint>
#include <string_view>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/verifier.h"
#include "converter/resources/text_table.h"

namespace {

using namespace linnet::converter;
namespace tf = linnet::tf;

TextTableFormat::Column ColumnFrom(uint8_t type, uint8_t index) {
  static constexpr tf::DataType kTypes[] = {tf::DT_STRING, tf::DT_INT64,  tf::DT_INT32,
                                            tf::DT_FLOAT,  tf::DT_DOUBLE, tf::DT_INVALID};
  return {kTypes[type % std::size(kTypes)], static_cast<int64_t>(index % 8) - 3};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kFormat = 6;
  if (size < kFormat) return 0;
  TextTableFormat format;
  format.key = ColumnFrom(data[0], data[1]);
  format.value = ColumnFrom(data[2], data[3]);
  format.vocab_size = static_cast<int64_t>(data[4] % 16) - 1;
  format.delimiter = static_cast<char>(data[5]);
  const std::string_view text(reinterpret_cast<const char*>(data) + kFormat, size - kFormat);
  Graph graph(OpRegistry::Global());
  Output keys, values;
  if (!ReadTextTable(text, format, &graph, &keys, &values).ok()) return 0;
  if (!VerifyGraph(graph).ok()) __builtin_trap();
  return 0;
}
