// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "converter/import/raw_graph.h"
#include "converter/import/saved_model.h"
#include "fmt/format.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"
#include "schema/tensorflow/saved_model.pb.h"

namespace linnet::converter {
namespace {

// Keeps the first error, from which the others follow.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// `what` in the error: "a GraphDef".
absl::Status ParseText(std::string_view text, const char* what,
                       google::protobuf::Message* message) {
  if (text.size() > INT_MAX)
    return absl::InvalidArgumentError(fmt::format("the text of {} of more than 2 GiB", what));
  const google::protobuf::LogSilencer quiet;  // the error below replaces what it would print
  FirstError errors;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.AllowUnknownField(true);  // our protos are a subset
  parser.AllowUnknownExtension(true);
  parser.SetRecursionLimit(100);
  google::protobuf::io::ArrayInputStream input(text.data(), static_cast<int>(text.size()));
  if (parser.Parse(&input, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("not {} in text form: {}", what, errors.text()));
}

}  // namespace

RawGraph RawGraphFromProto(tf::GraphDef graph_def) {
  RawGraph graph;
  graph.versions = graph_def.versions();
  graph.library.Swap(graph_def.mutable_library());
  graph.nodes.reserve(graph_def.node_size());
  for (tf::NodeDef& def : *graph_def.mutable_node()) graph.nodes.emplace_back().def.Swap(&def);
  return graph;
}

absl::StatusOr<RawGraph> ReadPbtxt(std::string_view text) {
  tf::GraphDef graph_def;
  if (absl::Status s = ParseText(text, "a GraphDef", &graph_def); !s.ok()) return s;
  return RawGraphFromProto(std::move(graph_def));
}

absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModelText(std::string_view text) {
  tf::SavedModel model;
  if (absl::Status s = ParseText(text, "a SavedModel", &model); !s.ok()) return s;
  std::vector<RawMetaGraph> graphs;
  for (tf::MetaGraphDef& meta : *model.mutable_meta_graphs()) {
    RawMetaGraph& graph = graphs.emplace_back();
    graph.is_text = true;
    graph.graph_message.Swap(meta.mutable_graph_def());
    graph.meta.Swap(&meta);
  }
  return graphs;
}

}  // namespace linnet::converter
