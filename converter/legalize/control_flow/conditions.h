// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

// InvalidArgument if the If or While `node` cannot have a condition of this type. TensorFlow takes
// any type: a scalar is true if it is not 0, another tensor if it has elements. But where an
// attribute makes TensorFlow run the node as Switch and Merge, it must be a bool scalar.
absl::Status CheckCondition(const Node& node, const TensorType& type);

// The condition `value` as a bool scalar, by the rules of TensorFlow (see CheckCondition).
Emitted EmitTruth(LegalizeContext& context, Output value);

// Restores the value of a flag at the end of the scope.
class ScopedFlag {
 public:
  explicit ScopedFlag(bool* flag) : flag_(*flag), before_(*flag) {}
  ~ScopedFlag() { flag_ = before_; }
  void Set() { flag_ = true; }

 private:
  bool& flag_;
  const bool before_;
};

}  // namespace linnet::converter
