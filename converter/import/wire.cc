// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "converter/import/raw_graph.h"
#include "converter/import/saved_model.h"
#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/wire_format_lite.h"
#include "schema/tensorflow/saved_model.pb.h"

namespace linnet::converter {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using Bytes = std::span<const std::byte>;

// Attributes up to this size are parsed whole: a view would save nothing.
constexpr size_t kSmall = 1024;

// One field of a message.
struct Field {
  int number = 0;
  WireFormatLite::WireType type = WireFormatLite::WIRETYPE_VARINT;
  Bytes whole;    // tag included
  Bytes payload;  // of length-delimited fields
};

// Calls fn(field) for every field until it returns false. False when it did or the bytes are
// damaged.
template <typename Fn>
bool ForEachField(Bytes message, Fn fn) {
  CodedInputStream in(reinterpret_cast<const uint8_t*>(message.data()),
                      static_cast<int>(message.size()));
  while (true) {
    const auto start = static_cast<size_t>(in.CurrentPosition());
    if (start == message.size()) return true;
    const uint32_t tag = in.ReadTag();
    if (tag == 0) return false;
    Field field{
        WireFormatLite::GetTagFieldNumber(tag), WireFormatLite::GetTagWireType(tag), {}, {}};
    if (field.type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      uint32_t length = 0;
      if (!in.ReadVarint32(&length)) return false;
      const auto at = static_cast<size_t>(in.CurrentPosition());
      if (length > message.size() - at || !in.Skip(static_cast<int>(length))) return false;
      field.payload = message.subspan(at, length);
    } else if (!WireFormatLite::SkipField(&in, tag)) {
      return false;
    }
    field.whole = message.subspan(start, static_cast<size_t>(in.CurrentPosition()) - start);
    if (!fn(field)) return false;
  }
}

bool IsMessage(const Field& field, int number) {
  return field.number == number && field.type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
}

void Append(Bytes bytes, std::string* to) {
  to->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

template <typename Message>
bool Merge(Bytes bytes, Message* message) {
  Message part;
  if (!part.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  message->MergeFrom(part);
  return true;
}

// A TensorProto with its tensor_content left in place.
bool ReadTensor(Bytes message, const OwnedBytes& file, RawTensor* tensor) {
  std::string rest;
  const bool good = ForEachField(message, [&](const Field& field) {
    if (IsMessage(field, tf::TensorProto::kTensorContentFieldNumber))
      tensor->content = PartOf(file, field.payload);
    else
      Append(field.whole, &rest);
    return true;
  });
  return good && tensor->proto.ParseFromString(rest);
}

// An entry of the attribute map. A big `value` tensor goes to node->value and leaves its type
// behind; anything else goes to `rest`.
bool ReadAttr(const Field& entry, const OwnedBytes& file, RawNode* node, std::string* rest) {
  if (entry.payload.size() <= kSmall) return Append(entry.whole, rest), true;
  Bytes key, value, tensor;
  bool good = ForEachField(entry.payload, [&](const Field& field) {
    if (IsMessage(field, 1)) key = field.payload;
    if (IsMessage(field, 2)) value = field.payload;
    return true;
  });
  int fields = 0;
  good = good && ForEachField(value, [&](const Field& field) {
           ++fields;
           if (IsMessage(field, tf::AttrValue::kTensorFieldNumber)) tensor = field.payload;
           return true;
         });
  if (!good) return false;
  const std::string_view name(reinterpret_cast<const char*>(key.data()), key.size());
  if (name != "value" || fields != 1 || tensor.empty()) return Append(entry.whole, rest), true;
  return ReadTensor(tensor, file, &node->value.emplace());
}

bool ReadNode(Bytes message, const OwnedBytes& file, RawNode* node) {
  std::string rest;
  const bool good = ForEachField(message, [&](const Field& field) {
    if (IsMessage(field, tf::NodeDef::kAttrFieldNumber)) return ReadAttr(field, file, node, &rest);
    Append(field.whole, &rest);
    return true;
  });
  if (!good || !node->def.ParseFromString(rest)) return false;
  if (node->value.has_value()) {
    tf::TensorProto& left = *(*node->def.mutable_attr())["value"].mutable_tensor();
    left.set_dtype(node->value->proto.dtype());
    *left.mutable_tensor_shape() = node->value->proto.tensor_shape();
  }
  return true;
}

}  // namespace

absl::StatusOr<RawGraph> ReadGraphDef(const OwnedBytes& file) {
  if (file.bytes.size() > INT_MAX)
    return absl::InvalidArgumentError(
        "a GraphDef of more than 2 GiB; save it as SavedModel with a variables file");
  const google::protobuf::LogSilencer quiet;  // what it would print is in our error
  RawGraph graph;
  size_t end = 0;  // of what has been read
  const bool good = ForEachField(file.bytes, [&](const Field& field) {
    const bool is_message = field.type == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    bool read = true;
    if (is_message && field.number == tf::GraphDef::kNodeFieldNumber)
      read = ReadNode(field.payload, file, &graph.nodes.emplace_back());
    else if (is_message && field.number == tf::GraphDef::kVersionsFieldNumber)
      read = Merge(field.payload, &graph.versions);
    else if (is_message && field.number == tf::GraphDef::kLibraryFieldNumber)
      read = Merge(field.payload, &graph.library);
    if (read) end += field.whole.size();
    return read;
  });
  if (good) return graph;
  return absl::InvalidArgumentError(
      fmt::format("not a GraphDef, or damaged, at byte {} of {}", end, file.bytes.size()));
}

absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModel(const OwnedBytes& file) {
  if (file.bytes.size() > INT_MAX)
    return absl::InvalidArgumentError("a SavedModel's graph of more than 2 GiB");
  const google::protobuf::LogSilencer quiet;  // what it would print is in our error
  std::vector<RawMetaGraph> graphs;
  const auto read_meta_graph = [&](Bytes message) {
    RawMetaGraph& graph = graphs.emplace_back();
    std::string rest;
    const bool good = ForEachField(message, [&](const Field& field) {
      if (IsMessage(field, tf::MetaGraphDef::kGraphDefFieldNumber))
        graph.graph_bytes = PartOf(file, field.payload);
      else
        Append(field.whole, &rest);
      return true;
    });
    return good && graph.meta.ParseFromString(rest);
  };
  size_t end = 0;  // of what has been read
  const bool good = ForEachField(file.bytes, [&](const Field& field) {
    if (IsMessage(field, tf::SavedModel::kMetaGraphsFieldNumber) && !read_meta_graph(field.payload))
      return false;
    end += field.whole.size();
    return true;
  });
  if (good) return graphs;
  return absl::InvalidArgumentError(
      fmt::format("not a SavedModel, or damaged, at byte {} of {}", end, file.bytes.size()));
}

}  // namespace linnet::converter
