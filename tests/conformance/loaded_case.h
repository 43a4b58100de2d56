// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/ops/op_def.h"
#include "tests/conformance/op_case.h"

namespace linnet::conformance {

struct AttrsBlock {
  alignas(8) uint8_t bytes[kMaxAttrsBytes] = {};
};

// A case with its attributes decoded and its types inferred. Refers to the case.
class LoadedCase {
 public:
  explicit LoadedCase(const OpCase& test) : test_(test) {
    for (const CaseTensor& tensor : test.inputs)
      inputs_.push_back({tensor.type, tensor.constant ? Data(tensor) : nullptr});
    op_ = {.kind = test.kind, .attrs = attrs_.bytes, .inputs = inputs_};
  }
  LoadedCase(const LoadedCase&) = delete;
  LoadedCase& operator=(const LoadedCase&) = delete;

  // Decodes the attributes and infers the types; returns the first error.
  Status Load() {
    LINNET_RETURN_IF_ERROR(FindOp(test_.kind)->decode(test_.attrs, attrs_.bytes));
    LINNET_RETURN_IF_ERROR(InferTypes(op_, types_));
    op_.outputs = {types_, static_cast<size_t>(FindOp(test_.kind)->num_outputs)};
    return {};
  }

  const OpInstance& op() const { return op_; }

 private:
  // Never null, so that an empty constant is still a constant.
  static const void* Data(const CaseTensor& tensor) {
    return tensor.bytes.empty() ? static_cast<const void*>("") : tensor.bytes.data();
  }

  const OpCase& test_;
  AttrsBlock attrs_;
  std::vector<InputInfo> inputs_;
  TensorType types_[kMaxOpOutputs];
  OpInstance op_;
};

}  // namespace linnet::conformance
