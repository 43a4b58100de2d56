// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "converter/import/raw_graph.h"
#include "fmt/format.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"

namespace linnet::converter {
namespace {

// Keeps the first error; the rest follow from it.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

RawGraph RawGraphFromProto(tf::GraphDef graph_def) {
  RawGraph graph;
  graph.versions = graph_def.versions();
  graph.library.Swap(graph_def.mutable_library());
  graph.nodes.reserve(graph_def.node_size());
  for (tf::NodeDef& def : *graph_def.mutable_node()) {
    RawNode& node = graph.nodes.emplace_back();
    node.def.Swap(&def);
  }
  return graph;
}

absl::StatusOr<RawGraph> ReadPbtxt(std::string_view text) {
  if (text.size() > INT_MAX)
    return absl::InvalidArgumentError("a GraphDef text of more than 2 GiB");
  const google::protobuf::LogSilencer quiet;  // what it would print is in our error
  FirstError errors;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.AllowUnknownField(true);  // our protos are a subset
  parser.SetRecursionLimit(100);
  google::protobuf::io::ArrayInputStream input(text.data(), static_cast<int>(text.size()));
  tf::GraphDef graph_def;
  if (!parser.Parse(&input, &graph_def))
    return absl::InvalidArgumentError(
        fmt::format("not a GraphDef in text form: {}", errors.text()));
  return RawGraphFromProto(std::move(graph_def));
}

}  // namespace linnet::converter
