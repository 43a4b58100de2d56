// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "schema/tensorflow/op_def.pb.h"

namespace linnet::converter {

// The GraphDef version of TensorFlow 2.21, whose ops tf_ops.pbtxt holds: the producer version of
// new graphs, and the version that a model's min_consumer is compared with.
inline constexpr int kGraphDefVersion = 2474;

// Definitions of TensorFlow ops by name, which live as long as the registry.
class OpRegistry {
 public:
  virtual ~OpRegistry() = default;
  // nullptr when there is no such op.
  virtual const tf::OpDef* LookUp(std::string_view op) const = 0;

  // TensorFlow's ops (tf_ops.pbtxt, compiled in). Lives forever; any thread may call LookUp.
  static const OpRegistry* Global();
};

// The names of all ops that OpRegistry::Global() knows, sorted.
std::span<const std::string_view> TensorFlowOpNames();

// Ops that are added one by one, on top of those of `base` (may be null): tests add their own here.
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

// NotFound "Op type not registered 'X' in binary running on <host>. ...", TensorFlow's text.
absl::Status OpNotRegistered(std::string_view op);

}  // namespace linnet::converter
