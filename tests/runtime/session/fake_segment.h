// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/runtime/session/fake_memory.h"

namespace linnet::fake {

class Segment final : public RunnableSegment {
 public:
  Segment(const FakeDevice& device, Memory& memory, Weights& weights, Region& region)
      : device_(device), memory_(memory), weights_(weights), region_(region) {
    ++device_.counts().alive;
  }

  void SetPrecise() override;
  Status AddInput(const TensorType& type, int64_t offset) override;
  Status AddStep(const StepContext& step, void* packed, std::span<const int64_t> inputs,
                 std::span<const int64_t> outputs) override;
  Status AddOutput(const TensorType& type, int64_t offset) override;
  Status Finish() override;
  Status BindInput(int input, const void* data) override;
  Status BindOutput(int output, void* data) override;
  Status Run() override;
  Status Fetch(int output) override;
  void EnableProfile(bool on) override { profile_ = on; }
  void StepTimes(std::span<int64_t> ns) const override;
  int64_t WaitNs() const override { return measured_ ? device_.wait_ns() : 0; }
  void Destroy() override;

 private:
  // What Run does, in order.
  struct Action {
    enum class Kind : uint8_t { kInput, kStep, kOutput };
    Kind kind = Kind::kInput;
    int64_t offset = 0, bytes = 0;     // of an input, an output or scratch memory
    RunnableStep* portable = nullptr;  // of a step
    const void* from = nullptr;        // of an input
    void* to = nullptr;                // of an output
    std::byte* staged = nullptr;       // the value of an output that is not written at once
    Action* next = nullptr;
  };

  Status Append(Action::Kind kind, Action** out);
  Status AppendCopy(Action::Kind kind, const TensorType& type, int64_t offset, Action** out);
  Action* Find(Action::Kind kind, int index) const;
  Status SetUp(RunnableStep& portable, const OpInstance& op, const Packed& packed,
               std::span<const int64_t> inputs, std::span<const int64_t> outputs);
  Status RunAction(const Action& action);

  const FakeDevice& device_;
  Memory& memory_;
  Weights& weights_;
  Region& region_;
  Action* first_ = nullptr;
  Action* last_ = nullptr;
  bool finished_ = false, ran_ = false, profile_ = false, measured_ = false, precise_ = false;
};

}  // namespace linnet::fake
