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

// Attributes up to this size are parsed whole: for them a view saves nothing.
constexpr size_t kSmall = 1024;

// One field of a message.
struct Field {
  int number = 0;
  WireFormatLite::WireType type = WireFormatLite::WIRETYPE_VARINT;
  Bytes whole;    // tag included
  Bytes payload;  // of length-delimited fields
};

// Calls fn(field) for every field until it returns false. False when it did or when the bytes are
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

// Calls fn(field) for every field of a whole file, a `name`, until it returns false.
// InvalidArgument: `too_big`, or the byte where the file is damaged.
template <typename Fn>
absl::Status ReadFile(const OwnedBytes& file, const char* name, const char* too_big, Fn fn) {
  if (file.bytes.size() > INT_MAX) return absl::InvalidArgumentError(too_big);
  const google::protobuf::LogSilencer quiet;  // the error below replaces what it would print
  size_t end = 0;                             // of the fields that were read
  const bool good = ForEachField(file.bytes, [&](const Field& field) {
    if (!fn(field)) return false;
    end += field.whole.size();
    return true;
  });
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("not a {}, or damaged, at byte {} of {}", name, end, file.bytes.size()));
}

template <typename Message>
bool Merge(Bytes bytes, Message* message) {
  Message part;
  if (!part.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  message->MergeFrom(part);
  return true;
}

// Parses all of `bytes` but the large field `number`, of which *large becomes a view.
template <typename Message, typename View>
bool ParseAllBut(int number, Bytes bytes, const OwnedBytes& file, Message* message, View* large) {
  std::string rest;
  const bool good = ForEachField(bytes, [&](const Field& field) {
    if (IsMessage(field, number))
      *large = PartOf(file, field.payload);
    else
      rest.append(AsText(field.whole));
    return true;
  });
  return good && message->ParseFromString(rest);
}

// An entry of the attribute map. A large tensor in attribute `value` goes to node->value; anything
// else goes to `rest`.
bool ReadAttr(const Field& entry, const OwnedBytes& file, RawNode* node, std::string* rest) {
  if (entry.payload.size() <= kSmall) return rest->append(AsText(entry.whole)), true;
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
  if (AsText(key) != "value" || fields != 1 || tensor.empty())
    return rest->append(AsText(entry.whole)), true;
  RawTensor& raw = node->value.emplace();
  return ParseAllBut(tf::TensorProto::kTensorContentFieldNumber, tensor, file, &raw.proto,
                     &raw.content);
}

bool ReadNode(Bytes message, const OwnedBytes& file, RawNode* node) {
  std::string rest;
  const bool good = ForEachField(message, [&](const Field& field) {
    if (IsMessage(field, tf::NodeDef::kAttrFieldNumber)) return ReadAttr(field, file, node, &rest);
    rest.append(AsText(field.whole));
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
  RawGraph graph;
  const char* too_big =
      "a GraphDef of more than 2 GiB; save it as SavedModel with a variables file";
  absl::Status status = ReadFile(file, "GraphDef", too_big, [&](const Field& field) {
    if (IsMessage(field, tf::GraphDef::kNodeFieldNumber))
      return ReadNode(field.payload, file, &graph.nodes.emplace_back());
    if (IsMessage(field, tf::GraphDef::kVersionsFieldNumber))
      return Merge(field.payload, &graph.versions);
    if (IsMessage(field, tf::GraphDef::kLibraryFieldNumber))
      return Merge(field.payload, &graph.library);
    return true;
  });
  if (!status.ok()) return status;
  return graph;
}

absl::StatusOr<std::vector<RawMetaGraph>> ReadSavedModel(const OwnedBytes& file) {
  std::vector<RawMetaGraph> graphs;
  const char* too_big = "a SavedModel's graph of more than 2 GiB";
  absl::Status status = ReadFile(file, "SavedModel", too_big, [&](const Field& field) {
    if (!IsMessage(field, tf::SavedModel::kMetaGraphsFieldNumber)) return true;
    RawMetaGraph& graph = graphs.emplace_back();
    return ParseAllBut(tf::MetaGraphDef::kGraphDefFieldNumber, field.payload, file, &graph.meta,
                       &graph.graph_bytes);
  });
  if (!status.ok()) return status;
  return graphs;
}

bool IsMetaGraph(std::string_view file) {
  // A node begins with its name; what a MetaGraphDef says of itself does not begin with a field of
  // that number where TensorFlow writes it.
  bool is_info = false;
  ForEachField(std::as_bytes(std::span(file)), [&](const Field& field) {
    is_info = IsMessage(field, tf::MetaGraphDef::kMetaInfoDefFieldNumber) &&
              !field.payload.empty() && field.payload[0] != std::byte{0x0a};
    return false;
  });
  return is_info;
}

absl::StatusOr<RawMetaGraph> ReadMetaGraph(const OwnedBytes& file) {
  if (file.bytes.size() > INT_MAX)
    return absl::InvalidArgumentError("a MetaGraphDef of more than 2 GiB");
  const google::protobuf::LogSilencer quiet;  // the error below replaces what it would print
  RawMetaGraph graph;
  if (!ParseAllBut(tf::MetaGraphDef::kGraphDefFieldNumber, file.bytes, file, &graph.meta,
                   &graph.graph_bytes))
    return absl::InvalidArgumentError("not a MetaGraphDef, or damaged");
  return graph;
}

}  // namespace linnet::converter
