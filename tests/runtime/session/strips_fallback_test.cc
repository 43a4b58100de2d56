// SPDX-License-Identifier: Apache-2.0
// Sessions of plans with strips whose backends cannot run strips, so that they need whole maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/run_strips.h"
#include "tests/runtime/session/strip_nets.h"
#ifdef LINNET_HAS_XNNPACK
#include "runtime/backends/xnnpack/backend.h"
#endif

namespace linnet {
namespace {

// The portable backend without strips; of the steps that `refused` names, also without these.
class OneByOne final : public Backend {
 public:
  explicit OneByOne(OpKind refused = OpKind::kFourier) : refused_(refused) {}
  const char* name() const override { return "one by one"; }
  bool can_resize() const override { return portable_.can_resize(); }
  const char* WhyUnsupported(const OpInstance& op) const override {
    return op.kind == refused_ ? "refused" : portable_.WhyUnsupported(op);
  }
  bool PacksInput(const OpInstance& op, int i) const override {
    return portable_.PacksInput(op, i);
  }
  PanelForm ReadsPanels(const OpInstance& op, int i) const override {
    return portable_.ReadsPanels(op, i);
  }
  Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
              void** packed) const override {
    return portable_.Pack(step, weights, region, packed);
  }
  Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                const Threads& threads, Region& region, RunnableStep** out,
                int64_t* workspace_bytes) const override {
    return portable_.Create(step, weights, packed, threads, region, out, workspace_bytes);
  }

 private:
  const Backend& portable_ = portable::GetBackend();
  const OpKind refused_;
};

class StripsFallback : public testing::TestWithParam<StripNet> {
 protected:
  static Bytes Plan() { return StripsPlan(GetParam().text); }
  static Bytes Whole() { return TextPlan(GetParam().text); }
  static void Open(std::span<const Backend* const> backends, OpenedPlan* plan) {
    const Status status = plan->Open(backends);
    ASSERT_TRUE(status.ok()) << status.what() << plan->diagnostic.text;
    ASSERT_FALSE(plan->program().strips.empty());
  }
};

TEST_P(StripsFallback, StepsRunOneByOne) {
  const OneByOne backend;
  const Floats whole = RunPlan(Whole());
  EXPECT_EQ(RunPlan(Plan(), 1, backend), whole);
  EXPECT_EQ(RunPlan(Plan(), 3, backend), whole);
}

TEST_P(StripsFallback, HasTimesOfItsSteps) {
  const OneByOne backend;
  const Backend* backends[] = {&backend};
  OpenedPlan plan(Plan());
  ASSERT_NO_FATAL_FAILURE(Open(backends, &plan));
  plan.session.EnableProfile(true);
  RunOpened(&plan);
  ASSERT_EQ(plan.session.step_ns().size(), plan.program().steps.size());
  int64_t sum = 0;
  for (const int64_t ns : plan.session.step_ns()) sum += ns;
  EXPECT_GT(sum, 0);
}

TEST_P(StripsFallback, RunsInABlock) {
  const OneByOne backend;
  const Backend* backends[] = {&backend};
  const Bytes bytes = Plan();
  OpenedPlan first(bytes);
  ASSERT_NO_FATAL_FAILURE(Open(backends, &first));
  const int64_t size = first.session.bytes().total;
  const PlacedBytes block(Bytes(static_cast<size_t>(size)));
  OpenedPlan plan(bytes, {block.data(), static_cast<size_t>(size)});
  ASSERT_NO_FATAL_FAILURE(Open(backends, &plan));
  EXPECT_EQ(RunOpened(&plan), RunPlan(Whole()));
}

// Then all steps run there, if it can run them, although another is preferred.
TEST_P(StripsFallback, ABackendWithStripsIsPreferred) {
  const OneByOne preferred;
  const Backend* backends[] = {&preferred, &portable::GetBackend()};
  OpenedPlan plan(Plan()), alone(Plan());
  ASSERT_NO_FATAL_FAILURE(Open(backends, &plan));
  ASSERT_NO_FATAL_FAILURE(Open({backends, 1}, &alone));
  EXPECT_LT(plan.session.bytes().total, alone.session.bytes().total);
  EXPECT_EQ(RunOpened(&plan), RunPlan(Whole()));
}

INSTANTIATE_TEST_SUITE_P(Nets, StripsFallback, testing::ValuesIn(AllStripNets()),
                         [](const auto& info) { return info.param.name; });

// Steps of one chain on two backends.
TEST(StripsOfTwoBackends, RunOneByOne) {
  const std::string text = StripNetText(kInvertedResidual, 2, 16);
  const OneByOne first(OpKind::kDepthwiseConv2D), second;
  const Backend* backends[] = {&first, &second};
  OpenedPlan plan(StripsPlan(text));
  const Status status = plan.Open(backends);
  ASSERT_TRUE(status.ok()) << plan.diagnostic.text;
  EXPECT_EQ(RunOpened(&plan), RunPlan(TextPlan(text)));
}

#ifdef LINNET_HAS_XNNPACK
float Largest(const Floats& values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

TEST_P(StripsFallback, XnnpackRunsWholes) {
  const Backend& xnnpack = xnnpack::GetBackend();
  if (!xnnpack.Initialize().ok()) GTEST_SKIP() << "XNNPACK does not run here";
  const Backend* backends[] = {&xnnpack};
  OpenedPlan plan(Plan());
  if (plan.Open(backends).code() == StatusCode::kUnsupported) GTEST_SKIP() << plan.diagnostic.text;
  const Floats strips = RunOpened(&plan), whole = RunPlan(Whole());
  ASSERT_EQ(strips.size(), whole.size());
  const float margin = 1e-5f * Largest(whole);
  for (size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(strips[i], whole[i], margin) << i;
  EXPECT_EQ(strips, RunPlan(Whole(), 1, xnnpack));
}
#endif

}  // namespace
}  // namespace linnet
