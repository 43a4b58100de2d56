// SPDX-License-Identifier: Apache-2.0
// With AddressSanitizer a kernel that accesses memory outside of its step's tensors ends the
// process, although all tensors of a session are in one block.
#include "runtime/session/arena_guard.h"

#include <gtest/gtest.h>

#include <new>

#include "runtime/backends/portable/backend.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/opened_plan.h"

namespace linnet {
namespace {

constexpr int64_t kToNeighbour = INT64_MAX;

// Writes one byte, `offset` bytes behind the beginning of its output.
class StrayStep final : public RunnableStep {
 public:
  explicit StrayStep(int64_t offset) : offset_(offset) {}
  Status Setup(const StepBuffers& buffers) override {
    output_ = static_cast<std::byte*>(buffers.outputs[0]);
    return {};
  }
  Status Run() override {
    std::byte* to = offset_ == kToNeighbour ? neighbour : output_ + offset_;
    *const_cast<volatile std::byte*>(to) = std::byte{1};
    return {};
  }

  static inline std::byte* neighbour = nullptr;  // a tensor of other steps
  void Destroy() override {}

 private:
  int64_t offset_;
  std::byte* output_ = nullptr;
};

class StrayBackend final : public Backend {
 public:
  explicit StrayBackend(int64_t offset) : offset_(offset) {}
  const char* name() const override { return "stray"; }
  const char* WhyUnsupported(const OpInstance& op) const override {
    return op.kind == OpKind::kUnary ? nullptr : "only Unary strays";
  }
  Status Create(const StepContext&, PackedWeights*, void*, const Threads&, Region& region,
                RunnableStep** out, int64_t* workspace_bytes) const override {
    void* memory = region.Allocate(sizeof(StrayStep));
    if (memory == nullptr) return {StatusCode::kNoMemory, "no memory"};
    *out = new (memory) StrayStep(offset_);
    *workspace_bytes = 0;
    return {};
  }

 private:
  int64_t offset_;
};

// Tensors of 20 bytes each; the next one begins after 64.
constexpr char kThreeTensors[] = R"(
  x = arg f32[5] a = Softmax(x) b = Unary(a) {kind: Neg} c = Binary(b, x) {kind: Add} out = ret(c))";

Status RunStray(int64_t offset) {
  const StrayBackend stray(offset);
  const Backend* const backends[] = {&stray, &portable::GetBackend()};
  OpenedPlan plan(TextPlan(kThreeTensors));
  LINNET_RETURN_IF_ERROR(plan.Open(backends));
  StrayStep::neighbour = reinterpret_cast<std::byte*>(plan.input(0));
  return plan.session.Run();
}

TEST(ArenaGuard, AStepMayTouchItsTensors) {
  EXPECT_TRUE(RunStray(0).ok());
  EXPECT_TRUE(RunStray(19).ok());
}

TEST(ArenaGuardDeathTest, AStepMayTouchNothingElse) {
  if (!ArenaGuard::kWatches) GTEST_SKIP() << "built without AddressSanitizer";
  for (const int64_t offset : {-1, 20, 63})
    EXPECT_DEATH(RunStray(offset).ok(), "use-after-poison") << offset;
  EXPECT_DEATH(RunStray(kToNeighbour).ok(), "use-after-poison");
}

}  // namespace
}  // namespace linnet
