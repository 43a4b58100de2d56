// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// Instead of the index of a column, which counts from 0.
inline constexpr int64_t kWholeLine = -2, kLineNumber = -1;

// How InitializeTableFromTextFile reads a vocabulary: each line has a key and a value.
struct TextTableFormat {
  struct Column {
    tf::DataType type = tf::DT_INVALID;
    int64_t index = 0;
  };
  Column key, value;
  int64_t vocab_size = -1;  // number of lines to read, -1 = all
  int64_t offset = 0;       // added to line numbers
  char delimiter = '\t';
};

// Adds keys and values to `graph` as constant vectors. InvalidArgument with the number of the line
// and texts like TensorFlow's.
absl::Status ReadTextTable(std::string_view text, const TextTableFormat& format, Graph* graph,
                           Output* keys, Output* values);

}  // namespace linnet::converter
