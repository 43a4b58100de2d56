// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/ops/all_attrs.h"
#include "runtime/ops/op_codec.h"
#include "runtime/ops/op_def.h"

namespace linnet {

inline TensorType F32(const Shape& shape) { return {DType::kFloat32, shape}; }
inline const TensorType kPicture = F32({2, 9, 5, 4});

// One use of an op that owns what it refers to. Its output is by the op's shape rule.
class TestStep {
 public:
  // All inputs but the first `fed` are constant.
  template <typename Attrs>
  TestStep(const Attrs& attrs, const std::vector<TensorType>& inputs, size_t fed = 1) {
    std::memcpy(attrs_, &attrs, sizeof(Attrs));
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs_.push_back({.type = inputs[i], .is_constant = i >= fed});
    op_ = {.kind = KindOf<Attrs>::value, .attrs = attrs_, .inputs = inputs_};
    const Status status = InferTypes(op_, outputs_);
    EXPECT_TRUE(status.ok()) << status.what();
    op_.outputs = {outputs_, 1};
  }
  TestStep(const TestStep&) = delete;
  TestStep& operator=(const TestStep&) = delete;

  const OpInstance& op() const { return op_; }
  const TensorType& output() const { return outputs_[0]; }

 private:
  alignas(8) std::byte attrs_[kMaxAttrsBytes] = {};
  std::vector<InputInfo> inputs_;
  TensorType outputs_[kMaxOpOutputs];
  OpInstance op_;
};

using StepPtr = std::unique_ptr<TestStep>;

inline StepPtr Conv(const TensorType& in, int64_t kernel_h, const Conv2DAttrs& attrs,
                    int64_t kernel_w = 1) {
  const int64_t channels = in.shape[3];
  return std::make_unique<TestStep>(attrs,
                                    std::vector{in, F32({channels, kernel_h, kernel_w, channels})});
}

inline StepPtr Depthwise(const TensorType& in, int64_t kernel_h,
                         const DepthwiseConv2DAttrs& attrs) {
  return std::make_unique<TestStep>(attrs, std::vector{in, F32({kernel_h, 1, in.shape[3]})});
}

inline StepPtr Pool(const TensorType& in, Pool2DAttrs attrs) {
  attrs.kind = schema::PoolKind::Max;
  attrs.window_w = 1;
  return std::make_unique<TestStep>(attrs, std::vector{in});
}

inline StepPtr Add(const TensorType& a, const TensorType& b) {
  BinaryAttrs attrs;
  attrs.kind = schema::BinaryKind::Add;
  return std::make_unique<TestStep>(attrs, std::vector{a, b}, 2);
}

inline StepPtr Relu(const TensorType& in) {
  ClampAttrs attrs;
  attrs.range.min = 0;
  return std::make_unique<TestStep>(attrs, std::vector{in});
}

inline StepPtr Linear(const TensorType& in) {
  const int64_t channels = in.shape.back();
  return std::make_unique<TestStep>(FullyConnectedAttrs(),
                                    std::vector{in, F32({channels, channels})});
}

}  // namespace linnet
