// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/status/status.h"
#include "schema/tensorflow/op_def.pb.h"

namespace linnet::converter {

// GraphDef version of the TensorFlow (2.21) whose ops tf_ops.pbtxt holds: what new graphs say of
// themselves and what min_consumer is compared with.
inline constexpr int kGraphDefVersion = 2474;

// Definitions of TensorFlow ops by name. Definitions live as long as the registry.
class OpRegistry {
 public:
  virtual ~OpRegistry() = default;
  // nullptr when there is no such op. May be called from any thread.
  virtual const tf::OpDef* LookUp(std::string_view op) const = 0;

  // TensorFlow's ops (tf_ops.pbtxt, compiled in). Lives forever.
  static const OpRegistry* Global();
};

// Ops given one by one: tests register their private ops here, on top of `base` when given.
class OpTable : public OpRegistry {
 public:
  explicit OpTable(const OpRegistry* base = nullptr) : base_(base) {}
  // Replaces an op of the same name.
  void Add(tf::OpDef op);
  // Ops in text form: `op { name: "X" ... } op { ... }`. InvalidArgument when it does not parse.
  absl::Status AddText(const std::string& op_list);
  const tf::OpDef* LookUp(std::string_view op) const override;

 private:
  const OpRegistry* base_;
  std::map<std::string, std::unique_ptr<tf::OpDef>, std::less<>> ops_;
};

// Ops out of a serialised tf::OpList, which outlives the table. Start-up only notes where each op
// lies; an op is parsed when somebody asks for it first.
class SerializedOps : public OpRegistry {
 public:
  explicit SerializedOps(std::span<const uint8_t> op_list);
  const tf::OpDef* LookUp(std::string_view op) const override;
  size_t size() const { return ops_.size(); }

 private:
  std::unordered_map<std::string_view, std::span<const uint8_t>> ops_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string_view, std::unique_ptr<tf::OpDef>> parsed_;
};

// NotFound "Op type not registered 'X' in binary running on <host>. ...", TensorFlow's text.
absl::Status OpNotRegistered(std::string_view op);

}  // namespace linnet::converter
