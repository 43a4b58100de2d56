// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "runtime/strips/strip_chain.h"
#include "tests/runtime/strips/test_step.h"

namespace linnet {

// Tensors that no step makes.
inline constexpr int32_t kX = 100, kWeight = 1000;

// A chain with the steps that it is made of. Step i writes tensor i.
class TestChain {
 public:
  // Adds a step that reads these tensors and weights. Null, or what is wrong.
  const char* Add(StepPtr step, std::vector<int32_t> inputs) {
    inputs.resize(step->op().inputs.size(), kWeight);
    const auto output = static_cast<int32_t>(steps_.size());
    const char* problem = chain_.Add(step->op(), inputs, output);
    if (problem != nullptr) return problem;
    steps_.push_back(std::move(step));
    inputs_.push_back(std::move(inputs));
    return nullptr;
  }
  // The same, which must be right; returns the tensor that the step writes.
  int32_t MustAdd(StepPtr step, std::vector<int32_t> inputs) {
    EXPECT_STREQ(Add(std::move(step), std::move(inputs)), nullptr);
    return last();
  }

  StripChain& chain() { return chain_; }
  const StripChain& chain() const { return chain_; }
  int32_t last() const { return static_cast<int32_t>(steps_.size()) - 1; }
  const TestStep& step(int32_t index) const { return *steps_[static_cast<size_t>(index)]; }
  const TensorType& type(int32_t tensor) const { return step(tensor).output(); }
  const std::vector<int32_t>& inputs(int32_t index) const {
    return inputs_[static_cast<size_t>(index)];
  }

 private:
  std::vector<StepPtr> steps_;
  std::vector<std::vector<int32_t>> inputs_;
  StripPart room_[kMaxStripParts];
  StripChain chain_{room_};
};

}  // namespace linnet
