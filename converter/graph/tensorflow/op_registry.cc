// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/op_registry.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/wire_format_lite.h"

namespace linnet::converter {

// tf_ops.pbtxt as a serialised tf::OpList, made by the build.
extern const uint8_t kTfOps[];
extern const size_t kTfOpsSize;

namespace {

using google::protobuf::internal::WireFormatLite;

// The first field of a serialised OpDef is its name: fields are written in the order of their
// numbers.
std::string_view NameOf(std::span<const uint8_t> op) {
  google::protobuf::io::CodedInputStream in(op.data(), static_cast<int>(op.size()));
  uint32_t length = 0;
  if (in.ReadTag() != WireFormatLite::MakeTag(1, WireFormatLite::WIRETYPE_LENGTH_DELIMITED) ||
      !in.ReadVarint32(&length))
    return {};
  return {reinterpret_cast<const char*>(op.data()) + in.CurrentPosition(), length};
}

// The ops of a serialised tf::OpList, which outlives the registry and is sorted by name. The
// constructor only notes where each op lies, so that a start takes little time; an op is parsed
// when it is first looked up.
class SerializedOps : public OpRegistry {
 public:
  explicit SerializedOps(std::span<const uint8_t> op_list) {
    google::protobuf::io::CodedInputStream in(op_list.data(), static_cast<int>(op_list.size()));
    while (in.ReadTag() != 0) {
      uint32_t length = 0;
      if (!in.ReadVarint32(&length)) return;
      const auto op = op_list.subspan(in.CurrentPosition(), length);
      names_.push_back(NameOf(op));
      ops_.push_back(op);
      if (!in.Skip(static_cast<int>(length))) return;
    }
  }

  std::span<const std::string_view> names() const { return names_; }

  const tf::OpDef* LookUp(std::string_view name) const override {
    const auto found = std::ranges::lower_bound(names_, name);
    if (found == names_.end() || *found != name) return nullptr;
    const std::span<const uint8_t> bytes = ops_[found - names_.begin()];
    const std::lock_guard lock(mutex_);
    std::unique_ptr<tf::OpDef>& op = parsed_[*found];
    if (op == nullptr) {
      op = std::make_unique<tf::OpDef>();
      op->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    }
    return op.get();
  }

 private:
  std::vector<std::string_view> names_;
  std::vector<std::span<const uint8_t>> ops_;  // of the names
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string_view, std::unique_ptr<tf::OpDef>> parsed_;
};

const SerializedOps& TensorFlowOps() {
  static const auto* const kOps = new SerializedOps({kTfOps, kTfOpsSize});
  return *kOps;
}

}  // namespace

const OpRegistry* OpRegistry::Global() { return &TensorFlowOps(); }

std::span<const std::string_view> TensorFlowOpNames() { return TensorFlowOps().names(); }

void OpTable::Add(tf::OpDef op) {
  std::string name = op.name();
  ops_.insert_or_assign(std::move(name), std::make_unique<tf::OpDef>(std::move(op)));
}

absl::Status OpTable::AddText(const std::string& op_list) {
  tf::OpList list;
  if (!google::protobuf::TextFormat::ParseFromString(op_list, &list))
    return absl::InvalidArgumentError("op list: not a linnet.tf.OpList in text form");
  for (tf::OpDef& op : *list.mutable_op()) Add(std::move(op));
  return absl::OkStatus();
}

const tf::OpDef* OpTable::LookUp(std::string_view op) const {
  const auto it = ops_.find(op);
  if (it != ops_.end()) return it->second.get();
  return base_ == nullptr ? nullptr : base_->LookUp(op);
}

absl::Status OpNotRegistered(std::string_view op) {
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return absl::NotFoundError(
      fmt::format("Op type not registered '{}' in binary running on {}. Make sure the Op and "
                  "Kernel are registered in the binary running in this process. Note that if you "
                  "are loading a saved graph which used ops from tf.contrib, accessing (e.g.) "
                  "`tf.contrib.resampler` should be done before importing the graph, as contrib "
                  "ops are lazily registered when the module is first accessed.",
                  op, host));
}

}  // namespace linnet::converter
