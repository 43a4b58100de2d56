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

// A tensor as read. A large tensor_content stays in the file: `content` is then a view of it.
struct RawTensor {
  tf::TensorProto proto;  // tensor_content is empty when `content` is set
  std::optional<OwnedBytes> content;
};

// A node that is not yet in a graph. The value of a Const is kept beside its attributes: as `value`
// where it was read from a GraphDef, as `constant` where the reader (tfjs) has decoded it.
struct RawNode {
  tf::NodeDef def;
  std::optional<RawTensor> value;
  std::optional<Constant> constant;
};

// The form into which every format is read. All further steps are the same for all formats.
struct RawGraph {
  std::vector<RawNode> nodes;
  tf::VersionDef versions;
  tf::FunctionDefLibrary library;
};

// Default bound of what all constants of a model that are written as a few repeated values may
// expand to, since a file of a few bytes can ask for tensors of any size. tensor_content does not
// count: it is viewed, not copied.
inline constexpr int64_t kMostExpandedBytes = int64_t{1} << 30;

// The value of a Const. tensor_content must have exactly the right size. Of a list of values that
// is too short the last one is repeated, an empty list means zeros, and surplus values are ignored;
// the bytes of such a tensor are taken from *constant_room. Element types that Linnet lacks
// (string, bfloat16, ...) give a constant with dtype kInvalid over the raw content.
// InvalidArgument; ResourceExhausted when *constant_room is too small.
absl::StatusOr<Constant> ConstantFromTensor(RawTensor tensor, int64_t* constant_room);

// From a GraphDef that is already parsed.
RawGraph RawGraphFromProto(tf::GraphDef graph_def);

// Reads a serialised GraphDef field by field: large tensors are not parsed but stay in `file`, as
// views. InvalidArgument naming the byte where the file is damaged.
absl::StatusOr<RawGraph> ReadGraphDef(const OwnedBytes& file);

// Reads the text form of a GraphDef. InvalidArgument "line 3, column 7: ...".
absl::StatusOr<RawGraph> ReadPbtxt(std::string_view text);

}  // namespace linnet::converter
