// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/import/mapped_file.h"
#include "schema/tensorflow/graph.pb.h"

namespace linnet::converter {

// A tensor as read: the message without its bulk, which stays where it lies.
struct RawTensor {
  tf::TensorProto proto;  // tensor_content is empty when `content` is set
  std::optional<OwnedBytes> content;
};

// A node before it is in a graph. The value of a Const is taken out of its attributes: `value` as
// read from a GraphDef, or `constant` when a reader (tfjs) made it already.
struct RawNode {
  tf::NodeDef def;
  std::optional<RawTensor> value;
  std::optional<Constant> constant;
};

// What every format is read into; the rest of import is the same for all.
struct RawGraph {
  std::vector<RawNode> nodes;
  tf::VersionDef versions;
  tf::FunctionDefLibrary library;
};

// Bounds what a small file may make us allocate: a short list of values stands for a tensor of any
// size. TensorFlow writes long lists as tensor_content, which takes nothing.
inline constexpr int64_t kMostExpandedBytes = int64_t{1} << 30;
struct ExpansionBudget {
  int64_t bytes_left = kMostExpandedBytes;
};

// The value of a Const: tensor_content must have exactly the right size; a short value list repeats
// its last element, an empty one means zeros, of a longer one the rest is left out. Element types
// that Linnet lacks (string, bfloat16, ...) give a constant with dtype kInvalid over the raw
// content. InvalidArgument.
absl::StatusOr<Constant> ConstantFromTensor(RawTensor tensor, ExpansionBudget* budget);

// A parsed GraphDef, taken apart.
RawGraph RawGraphFromProto(tf::GraphDef graph_def);

// A serialised GraphDef, walked on the wire: nodes are parsed without the bulk of their tensors,
// which stays in `file`. InvalidArgument naming the byte where it goes wrong.
absl::StatusOr<RawGraph> ReadGraphDef(const OwnedBytes& file);

// Text form. InvalidArgument "line 3, column 7: ...".
absl::StatusOr<RawGraph> ReadPbtxt(std::string_view text);

}  // namespace linnet::converter
