// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// What of a line is meant, besides a column counted from 0.
inline constexpr int64_t kWholeLine = -2, kLineNumber = -1;

// How InitializeTableFromTextFile reads a vocabulary: a key and a value per line.
struct TextTableFormat {
  struct Column {
    tf::DataType type = tf::DT_INVALID;
    int64_t index = 0;
  };
  Column key, value;
  int64_t vocab_size = -1;  // lines that count, -1 = all
  int64_t offset = 0;       // of line numbers
  char delimiter = '\t';
};

// Adds keys and values to `graph` as constant vectors. InvalidArgument with the line, in words like
// TensorFlow's.
absl::Status ReadTextTable(std::string_view text, const TextTableFormat& format, Graph* graph,
                           Output* keys, Output* values);

}  // namespace linnet::converter
